// Queries about where the node and the API of an index are, so that a run without a source goes on with them. Keys are never stored.
import type { Store, StoreReader } from './index-database.ts';

export interface SourceUrls {
  readonly nodeUrl: string | undefined;
  readonly apiUrl: string | undefined;
}

export async function readStoredUrls(store: StoreReader): Promise<SourceUrls> {
  const rows = await store.selectFrom('info').selectAll().where('key', 'in', ['node_url', 'api_url']).execute();
  const values = new Map(rows.map((row) => [row.key, row.value]));
  return { nodeUrl: values.get('node_url'), apiUrl: values.get('api_url') };
}

/** Replaces both. */
export async function writeStoredUrls(store: Store, { nodeUrl, apiUrl }: SourceUrls): Promise<void> {
  await store.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('info').where('key', 'in', ['node_url', 'api_url']).execute();
    const rows = [
      { key: 'node_url', value: nodeUrl },
      { key: 'api_url', value: apiUrl },
    ].flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
    if (rows.length > 0) await transaction.insertInto('info').values(rows).execute();
  });
}
