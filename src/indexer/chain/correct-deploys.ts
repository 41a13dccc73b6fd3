// Corrects deploys that an API told of before their blocks came: takes those of blocks, and returns what contradicted.

import type { ChainFailure } from '#store/chain/chain-log.ts';
import { findConflictingDeploys, replaceDeploy } from '#store/chain/deploys.ts';
import type { NewDeploy } from '#store/chain/upsert-deploys.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { queueEvaluations } from '#store/replay/evaluation-inputs.ts';

/** The id of a transaction is the hash of its bytes, so what the API said of it was wrong. */
export async function correctDeploys(store: StoreWriter, deploys: readonly NewDeploy[]): Promise<ChainFailure[]> {
  const conflicting = await findConflictingDeploys(store, deploys);
  const misreported = conflicting.filter(({ isFromChain }) => !isFromChain).map(({ deploy }) => deploy);
  for (const deploy of misreported) await replaceDeploy(store, deploy);
  const contractIds = misreported.map(({ contractId }) => contractId);
  await queueEvaluations(store, contractIds);
  return misreported.map(({ contractId, txId }) => ({
    code: 'source-contradiction',
    subject: `source of ${contractId}`,
    message: `The API returned another source or interface than ${txId} has in its block, which is kept.`,
  }));
}
