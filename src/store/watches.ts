// Queries about what is watched: variables of contracts, and the functions that may write them.
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';

export interface Watches {
  /** As `<contract id> <name>`. */
  readonly variables: string[];
  readonly functions: { readonly contractId: string; readonly functionName: string }[];
}

export async function readWatches(store: StoreReader): Promise<Watches> {
  const variables = await store.selectFrom('watched_variable').selectAll().execute();
  const functions = await store.selectFrom('watched_function').selectAll().execute();
  return {
    variables: variables.map((row) => `${row.contract_id} ${row.name}`),
    functions: functions.map((row) => ({ contractId: row.contract_id, functionName: row.name })),
  };
}

export async function insertWatches(store: StoreWriter, { variables, functions }: Watches): Promise<void> {
  const variableRows = variables.map((variable) => {
    const [contractId, name] = variable.split(' ') as [string, string];
    return { contract_id: contractId, name };
  });
  const functionRows = functions.map(({ contractId, functionName }) => ({
    contract_id: contractId,
    name: functionName,
  }));
  for (const run of inRuns(variableRows, 2)) await store.insertInto('watched_variable').values(run).execute();
  for (const run of inRuns(functionRows, 2)) await store.insertInto('watched_function').values(run).execute();
}
