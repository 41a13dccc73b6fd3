// Plans the computation of an interface: deploys the contracts that a contract refers to, then the contract.
import type { Failure } from '#model/failure.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import type { ReplayRequest } from '#vm/messages.ts';
import type { ChainReader } from './chain-reader.ts';
import { Dependencies } from './dependencies.ts';
import { inChainOrder } from './trace-steps.ts';

interface InterfacePlan {
  readonly request: ReplayRequest;
  /** The ids of all contracts that were looked up, whether or not they were found. */
  readonly inputs: readonly string[];
  /** Set if the contract has too much code for the VM. */
  readonly refusal: Failure | undefined;
}

/** Plans an interface; undefined if the contract is not served. Skips contracts that are missing in the index. */
export async function planInterface(chain: ChainReader, contract: ServedContract): Promise<InterfacePlan | undefined> {
  const { contractId } = contract;
  const needed = new Dependencies(chain, contract);
  const refusal = await needed.addContract();
  const deploys = [...needed.deploys.values()].sort(inChainOrder);
  if (refusal === undefined && !needed.deploys.has(contractId)) return undefined;
  const request = {
    steps: deploys.map(({ request }) => request),
    tokens: [],
    tip: await chain.tip(),
    chainId: await chain.chainId(),
    interfaceOf: contractId,
  };
  return { request, inputs: [...needed.inputs], refusal };
}
