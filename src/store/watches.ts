// Queries about what is watched: variables of contracts, and the functions that may write them.
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';

export interface Watches {
  /** As `<contract id> <name>`, each with the height of the first block whose calls are recorded. */
  readonly variables: Map<string, number>;
  readonly functions: { readonly contractId: string; readonly functionName: string }[];
}

export async function readWatches(store: StoreReader): Promise<Watches> {
  const variables = await store.selectFrom('watched_variable').selectAll().execute();
  const functions = await store.selectFrom('watched_function').selectAll().execute();
  return {
    variables: new Map(variables.map((row) => [`${row.contract_id} ${row.name}`, row.since_height])),
    functions: functions.map((row) => ({ contractId: row.contract_id, functionName: row.name })),
  };
}

/** The height from which on calls are recorded that write variables of a contract, by `<contract id> <name>`. */
export async function readWatchedSince(store: StoreReader, contractId: string): Promise<Map<string, number>> {
  const rows = await store.selectFrom('watched_variable').selectAll().where('contract_id', '=', contractId).execute();
  return new Map(rows.map((row) => [`${row.contract_id} ${row.name}`, row.since_height]));
}

export async function insertWatches(store: StoreWriter, { variables, functions }: Watches): Promise<void> {
  const variableRows = [...variables].map(([variable, height]) => {
    const [contractId, name] = variable.split(' ') as [string, string];
    return { contract_id: contractId, name, since_height: height };
  });
  const functionRows = functions.map(({ contractId, functionName }) => ({
    contract_id: contractId,
    name: functionName,
  }));
  for (const run of inRuns(variableRows, 3)) await store.insertInto('watched_variable').values(run).execute();
  for (const run of inRuns(functionRows, 2)) await store.insertInto('watched_function').values(run).execute();
}
