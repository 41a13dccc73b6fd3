// Stores what evaluations of tokens read: if one of these contracts changes or appears, triggers queue the token again.
import type { StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';

export interface EvaluationInputs {
  readonly tokenId: number;
  /** Ids of contracts, the token's own among them. */
  readonly inputs: readonly string[];
}

/** Replaces what earlier evaluations of these tokens read. */
export async function writeEvaluationInputs(
  store: StoreWriter,
  evaluations: readonly EvaluationInputs[],
): Promise<void> {
  for (const run of inRuns(evaluations)) {
    const tokenIds = run.map(({ tokenId }) => tokenId);
    await store.deleteFrom('evaluation_input').where('token_id', 'in', tokenIds).execute();
  }
  const rows = evaluations.flatMap(({ tokenId, inputs }) =>
    inputs.map((contractId) => ({ token_id: tokenId, contract_id: contractId })),
  );
  for (const run of inRuns(rows, 2)) await store.insertInto('evaluation_input').values(run).execute();
}
