// Adds the Clarity version, epoch and token standard to a deploy.
import type { ContractDeploy } from '#model/chain-event.ts';
import { storedEpochName } from '#model/epoch-calendar.ts';
import type { NewDeploy } from '#store/chain/upsert-deploys.ts';

/**
 * Takes the Clarity version from the transaction or the interface, and the epoch from the interface. The interface from
 * a node names the node's current epoch, so only deploys in blocks have a known epoch.
 */
export function describeDeploy(deploy: ContractDeploy, isInBlock: boolean): NewDeploy {
  const { txId, contractId, senderAddress, interfaceFacts: facts, code, references } = deploy;
  return {
    ...{ txId, contractId, senderAddress, code, references },
    clarityVersion: deploy.wireClarityVersion ?? facts?.clarityVersion,
    epoch: isInBlock ? storedEpochName(facts?.epoch) : undefined,
    standard: facts?.standard ?? deploy.sourceStandard,
  };
}
