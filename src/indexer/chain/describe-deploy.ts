// Says of a deploy what its own bytes do not: Clarity version, epoch and token standard.
import { epochOfInterface, MAINNET_CHAIN_ID, mainnetEpochAt } from '#model/chain.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import type { NewDeploy } from '#store/deploys.ts';

/** Version and epoch of a deploy: from the wire, the interface, or mainnet's burn height, and never a guess without one of them. */
export function describeDeploy(
  deploy: ContractDeploy,
  burnBlockHeight: number | undefined,
  chainId: number | undefined,
): NewDeploy {
  const atBurnHeight =
    chainId === MAINNET_CHAIN_ID && burnBlockHeight !== undefined ? mainnetEpochAt(burnBlockHeight) : undefined;
  const clarityVersion =
    deploy.wireClarityVersion ?? deploy.interfaceFacts?.clarityVersion ?? atBurnHeight?.clarityVersion;
  return {
    txId: deploy.txId,
    contractId: deploy.contractId,
    senderAddress: deploy.senderAddress,
    clarityVersion,
    // A node names its own epoch for all that it answers: without a burn height, that of the deploy is not known.
    epoch:
      burnBlockHeight === undefined ? undefined : epochOf(deploy.interfaceFacts?.epoch, atBurnHeight, clarityVersion),
    standard: deploy.interfaceFacts?.standard,
    code: deploy.code,
  };
}

/** The burn height decides on mainnet, unless the deploy's version is newer than that epoch; elsewhere the interface does, under its own name if it is an epoch that is not known. */
function epochOf(
  inInterface: string | undefined,
  atBurnHeight: ReturnType<typeof mainnetEpochAt>,
  clarityVersion: number | undefined,
): string | undefined {
  if (atBurnHeight !== undefined && (clarityVersion ?? 1) <= atBurnHeight.clarityVersion) return atBurnHeight.name;
  return epochOfInterface(inInterface)?.name ?? inInterface;
}
