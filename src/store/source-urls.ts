// Queries about the URLs of an index's node and API, for runs that name none. API keys are never stored.
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
    const rows = Object.entries({ node_url: nodeUrl, api_url: apiUrl });
    for (const [key, value] of rows)
      if (value !== undefined) await transaction.insertInto('info').values({ key, value }).execute();
  });
}
