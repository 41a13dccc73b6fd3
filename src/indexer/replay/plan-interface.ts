// Plans the computation of an interface: deploys the contracts that a contract refers to, then the contract.
import type { ServedContract } from '#store/contracts/contracts.ts';
import type { ReplayRequest } from '#vm/messages.ts';
import type { ChainReader } from './chain-reader.ts';
import type { PlacedDeploy } from './placed-steps.ts';
import { MAX_CONTRACTS } from './session-needs.ts';
import { inChainOrder } from './trace-steps.ts';

export interface InterfacePlan {
  readonly request: ReplayRequest;
  /** The ids of all contracts that were looked up, whether or not they were found. */
  readonly inputs: readonly string[];
}

/** Plans an interface; undefined if the contract is not served. Skips contracts that are missing in the index. */
export async function planInterface(chain: ChainReader, contract: ServedContract): Promise<InterfacePlan | undefined> {
  const { contractId } = contract;
  const deploy = await chain.deployOf(contractId);
  if (deploy === undefined) return undefined;
  const dependencies = new Map<string, PlacedDeploy>();
  const inputs = new Set<string>();
  const open = [...deploy.references];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === contractId || inputs.has(next) || dependencies.size >= MAX_CONTRACTS) continue;
    inputs.add(next);
    const deploy = await chain.deployOf(next);
    if (deploy === undefined || !deploy.contract.canonical || inChainOrder(deploy, contract) > 0) continue;
    dependencies.set(next, deploy);
    for (const reference of deploy.references) open.push(reference);
  }
  const steps = [...dependencies.values()].sort(inChainOrder).map(({ step }) => step);
  const tip = await chain.tip();
  const request = {
    steps: [...steps, deploy.step],
    tokens: [],
    tip,
    chainId: await chain.chainId(),
    interfaceOf: contractId,
  };
  return { request, inputs: [...inputs] };
}
