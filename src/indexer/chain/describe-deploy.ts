// Adds facts to a deploy that its bytes lack: Clarity version, epoch and token standard.
import { epochOfInterface, MAINNET_CHAIN_ID, mainnetEpochAt } from '#model/chain.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import type { NewDeploy } from '#store/chain/upsert-deploys.ts';

/** Takes version and epoch from the transaction, the interface or mainnet's burn height; never guesses. */
export function describeDeploy(
  deploy: ContractDeploy,
  burnBlockHeight: number | undefined,
  chainId: number | undefined,
): NewDeploy {
  const atBurnHeight =
    chainId === MAINNET_CHAIN_ID && burnBlockHeight !== undefined ? mainnetEpochAt(burnBlockHeight) : undefined;
  const { txId, contractId, senderAddress, interfaceFacts: facts, code, references } = deploy;
  const clarityVersion = deploy.wireClarityVersion ?? facts?.clarityVersion ?? atBurnHeight?.clarityVersion;
  return {
    ...{ txId, contractId, senderAddress, code, references, clarityVersion },
    // The epoch in a node's answer is the node's current one: without a burn height, the deploy's epoch is unknown.
    epoch: burnBlockHeight === undefined ? undefined : epochOf(facts?.epoch, atBurnHeight, clarityVersion),
    standard: facts?.standard,
  };
}

/** On mainnet the epoch at the burn height, unless the deploy's version is newer; otherwise that in the interface. */
function epochOf(
  inInterface: string | undefined,
  atBurnHeight: ReturnType<typeof mainnetEpochAt>,
  clarityVersion: number | undefined,
): string | undefined {
  if (atBurnHeight !== undefined && (clarityVersion ?? 1) <= atBurnHeight.clarityVersion) return atBurnHeight.name;
  return epochOfInterface(inInterface)?.name ?? inInterface;
}
