// Queries about images: our copy of what is behind an image URI, or why there is none.
import { sql } from 'kysely';
import { type Failure, type FailureCode, isFailure, type Reason } from '#model/failure.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';
import { storedFailure } from './stored-failure.ts';

/** An index is on exactly this expression. */
const IMAGE_OF_DOCUMENT = sql<string | null>`json_extract(document.document, '$.image')`;

export interface StoredImage {
  readonly uri: string;
  /** Whether the copy, if there is one, is to be made again. */
  readonly isStale: boolean;
  /** Undefined if there is no copy. */
  readonly copy: { readonly sha256: string; readonly extension: string } | undefined;
  readonly failure: Reason | undefined;
}

/** Stores a copy, or a failure; a failure never takes away a copy that was made before. */
export async function writeImage(
  store: StoreWriter,
  uri: string,
  result: { readonly sha256: string; readonly extension: string } | Failure,
  revision: number,
): Promise<void> {
  const failed = isFailure(result);
  const row = failed
    ? { failure_code: result.code, failure_message: result.message, revision }
    : {
        sha256: result.sha256,
        extension: result.extension,
        failure_code: null,
        failure_message: null,
        revision,
        is_stale: 0,
      };
  await store
    .insertInto('image')
    .values({ uri, sha256: null, extension: null, is_stale: 0, ...row })
    .onConflict((conflict) => conflict.column('uri').doUpdateSet(row))
    .execute();
}

export async function readImages(store: StoreReader, uris: readonly string[]): Promise<Map<string, StoredImage>> {
  const images = new Map<string, StoredImage>();
  for (const run of inRuns([...new Set(uris)])) {
    const rows = await store.selectFrom('image').selectAll().where('uri', 'in', run).execute();
    for (const row of rows) {
      images.set(row.uri, {
        uri: row.uri,
        isStale: row.is_stale === 1,
        copy:
          row.sha256 === null || row.extension === null ? undefined : { sha256: row.sha256, extension: row.extension },
        failure: storedFailure(row),
      });
    }
  }
  return images;
}

/** Copies that came after a revision, each once, in the order of their hashes. */
export async function changedCopies(
  store: StoreReader,
  sinceRevision: number,
): Promise<{ readonly sha256: string; readonly extension: string }[]> {
  const rows = await store
    .selectFrom('image')
    .select(['sha256', 'extension'])
    .distinct()
    .where('sha256', 'is not', null)
    .where('revision', '>', sinceRevision)
    .orderBy('sha256')
    .execute();
  return rows.flatMap(({ sha256, extension }) =>
    sha256 === null || extension === null ? [] : [{ sha256, extension }],
  );
}

/** Tokens and locales whose document names an image that failed with a code. */
export async function imagesFailedWith(
  store: StoreReader,
  code: FailureCode,
): Promise<{ readonly tokenId: number; readonly locale: string }[]> {
  const rows = await store
    .selectFrom('document')
    .select(['token_id', 'locale'])
    .where(IMAGE_OF_DOCUMENT, 'in', (eb) => eb.selectFrom('image').select('uri').where('failure_code', '=', code))
    .execute();
  return rows.map((row) => ({ tokenId: row.token_id, locale: row.locale }));
}

/** Documents that name an image, of every token or of the given contracts alone. */
export async function documentsWithImages(
  store: StoreReader,
  contractIds: readonly string[],
): Promise<{ readonly tokenId: number; readonly locale: string }[]> {
  const rows = await store
    .selectFrom('document')
    .innerJoin('token', 'token.token_id', 'document.token_id')
    .innerJoin('contract', 'contract.deploy_id', 'token.deploy_id')
    .select(['document.token_id', 'document.locale'])
    .where(IMAGE_OF_DOCUMENT, 'is not', null)
    .$if(contractIds.length > 0, (query) => query.where('contract.contract_id', 'in', [...contractIds]))
    .execute();
  return rows.map((row) => ({ tokenId: row.token_id, locale: row.locale }));
}

/** Asks for new copies of the images that documents name, of every token or of the given contracts alone; what is behind a URI of another scheme never changes. */
export async function markImagesStale(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  const named = store
    .selectFrom('document')
    .innerJoin('token', 'token.token_id', 'document.token_id')
    .innerJoin('contract', 'contract.deploy_id', 'token.deploy_id')
    .select(IMAGE_OF_DOCUMENT.as('uri'))
    .where(IMAGE_OF_DOCUMENT, 'is not', null)
    .$if(contractIds.length > 0, (query) => query.where('contract.contract_id', 'in', [...contractIds]));
  await store
    .updateTable('image')
    .set({ is_stale: 1 })
    .where('uri', 'in', named.$castTo<{ uri: string }>())
    .where((eb) => eb.or([eb('uri', 'like', 'http://%'), eb('uri', 'like', 'https://%')]))
    .execute();
}

/** Deploys whose documents name an image. */
export async function deploysNaming(store: StoreReader, uri: string): Promise<number[]> {
  const rows = await store
    .selectFrom('document')
    .innerJoin('token', 'token.token_id', 'document.token_id')
    .select('token.deploy_id')
    .distinct()
    .where(IMAGE_OF_DOCUMENT, '=', uri)
    .execute();
  return rows.map((row) => row.deploy_id);
}

/** Images without a copy, counted by code. */
export async function countImageFailures(store: StoreReader): Promise<Record<string, number>> {
  const rows = await store
    .selectFrom('image')
    .select((eb) => ['failure_code', eb.fn.countAll<number>().as('count')])
    .where('failure_code', 'is not', null)
    .groupBy('failure_code')
    .orderBy('failure_code')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.failure_code as string, row.count]));
}
