// Queries about metadata documents: the default one of each token, and one per locale.
import { type Failure, type FailureCode, isFailure, type Reason } from '#model/failure.ts';
import type { MetadataDocument } from '#model/metadata.ts';
import { excluded } from './excluded.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { groupByToken, inRuns, readInRuns } from './lists.ts';
import type { DocumentTable } from './schema.ts';
import { failureColumns, storedFailure } from './stored-failure.ts';
import { readStoredJson } from './stored-json.ts';

/** The locale of the default document. */
export const DEFAULT_LOCALE = '';

export interface DocumentKey {
  readonly tokenId: number;
  readonly locale: string;
}

export interface StoredDocument {
  readonly locale: string;
  readonly uri: string | undefined;
  readonly document: MetadataDocument | undefined;
  readonly failure: Reason | undefined;
  /** What was dropped while reading it, one sentence each. */
  readonly warnings: readonly string[];
}

export interface NewDocument extends DocumentKey {
  readonly uri: string | undefined;
  /** The document, or why there is none. */
  readonly result: { readonly document: MetadataDocument; readonly warnings: readonly string[] } | Failure;
  /** Validators for the next conditional request. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** When it was fetched, in ms since the epoch; undefined without a request. */
  readonly fetchedAt?: number;
}

/** Stores documents and failures; a failure never removes a document that was read before. */
export async function writeDocuments(store: StoreWriter, documents: readonly NewDocument[]): Promise<void> {
  const failed = documents.filter(({ result }) => isFailure(result));
  for (const run of inRuns(failed, 10)) {
    await store
      .insertInto('document')
      .values(run.map(toRow))
      .onConflict((conflict) =>
        conflict.columns(['token_id', 'locale']).doUpdateSet((eb) => ({
          ...excluded('failure_code', 'failure_message'),
          fetched_at: eb.fn.coalesce('excluded.fetched_at', 'document.fetched_at'),
        })),
      )
      .execute();
  }
  const read = documents.filter(({ result }) => !isFailure(result));
  for (const run of inRuns(read, 10)) {
    await store
      .insertInto('document')
      .values(run.map(toRow))
      .onConflict((conflict) =>
        conflict.columns(['token_id', 'locale']).doUpdateSet({
          ...excluded('uri', 'document', 'warnings', 'etag', 'last_modified', 'fetched_at'),
          ...failureColumns(undefined),
        }),
      )
      .execute();
  }
}

function toRow({ tokenId, locale, uri, result, etag, lastModified, fetchedAt }: NewDocument): DocumentTable {
  const failed = isFailure(result);
  return {
    token_id: tokenId,
    locale,
    uri: uri ?? null,
    document: failed ? null : JSON.stringify(result.document),
    ...failureColumns(failed ? result : undefined),
    warnings: failed || result.warnings.length === 0 ? null : JSON.stringify(result.warnings),
    etag: etag ?? null,
    last_modified: lastModified ?? null,
    fetched_at: fetchedAt ?? null,
  };
}

/** Documents of each token, the default one first, then by locale. */
export async function readDocuments(
  store: StoreReader,
  tokenIds: readonly number[],
): Promise<Map<number, StoredDocument[]>> {
  const rows = await readInRuns(tokenIds, (run) =>
    store
      .selectFrom('document')
      .selectAll()
      .where('token_id', 'in', run)
      .orderBy('token_id')
      .orderBy('locale')
      .execute(),
  );
  return groupByToken(rows, (row) => ({
    locale: row.locale,
    uri: row.uri ?? undefined,
    document: row.document === null ? undefined : readStoredJson<MetadataDocument>(row.document, 'a document'),
    failure: storedFailure(row),
    warnings: row.warnings === null ? [] : readStoredJson<string[]>(row.warnings, 'a list of warnings'),
  }));
}

export function documentsFailedWith(store: StoreReader, code: FailureCode): Promise<DocumentKey[]> {
  return store
    .selectFrom('document')
    .select(['token_id as tokenId', 'locale'])
    .where('failure_code', '=', code)
    .execute();
}

/** What a conditional request sends. */
export interface Validators {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** Undefined if no document of this URI is stored. */
export async function readValidators(
  store: StoreReader,
  tokenId: number,
  locale: string,
  uri: string,
): Promise<Validators | undefined> {
  const row = await store
    .selectFrom('document')
    .select(['etag', 'last_modified'])
    .where('token_id', '=', tokenId)
    .where('locale', '=', locale)
    .where('uri', '=', uri)
    .where('document', 'is not', null)
    .executeTakeFirst();
  return row === undefined ? undefined : { etag: row.etag ?? undefined, lastModified: row.last_modified ?? undefined };
}

/** Notes that the server answered that a document has not changed. */
export async function confirmDocument(
  store: StoreWriter,
  tokenId: number,
  locale: string,
  fetchedAt: number,
): Promise<void> {
  await store
    .updateTable('document')
    .set({ fetched_at: fetchedAt, ...failureColumns(undefined) })
    .where('token_id', '=', tokenId)
    .where('locale', '=', locale)
    .execute();
}

/** Fetched documents older than `maxAgeMs` or their token's ttl, except frozen ones. `now` is in ms since the epoch. */
export function staleDocuments(store: StoreReader, now: number, maxAgeMs: number | undefined): Promise<DocumentKey[]> {
  return store
    .selectFrom('document')
    .innerJoin('served_token', 'served_token.token_id', 'document.token_id')
    .leftJoin('update_mode', 'update_mode.contract_id', 'served_token.contract_id')
    .select(['document.token_id as tokenId', 'document.locale'])
    .where('document.fetched_at', 'is not', null)
    .where((eb) => eb.or([eb('update_mode', 'is', null), eb('update_mode', '<>', 'frozen')]))
    .where((eb) =>
      eb.or([
        eb(eb('document.fetched_at', '+', eb(eb.ref('ttl_seconds'), '*', 1000)), '<=', now),
        ...(maxAgeMs === undefined ? [] : [eb('document.fetched_at', '<=', now - maxAgeMs)]),
      ]),
    )
    .execute();
}

/** Every fetched document of served contracts, or of the given ones. */
export function fetchedDocuments(store: StoreReader, contractIds: readonly string[]): Promise<DocumentKey[]> {
  return store
    .selectFrom('document')
    .innerJoin('token', 'token.token_id', 'document.token_id')
    .innerJoin('contract', 'contract.deploy_id', 'token.deploy_id')
    .select(['document.token_id as tokenId', 'document.locale'])
    .where('document.fetched_at', 'is not', null)
    .$if(contractIds.length > 0, (query) => query.where('contract.contract_id', 'in', [...contractIds]))
    .execute();
}

/** Deletes a token's documents, and the jobs for them, of all locales but these. */
export async function deleteDocuments(
  store: StoreWriter,
  tokenId: number,
  { except: kept }: { readonly except: readonly string[] },
): Promise<void> {
  await store.deleteFrom('document').where('token_id', '=', tokenId).where('locale', 'not in', kept).execute();
  await store
    .deleteFrom('job')
    .where('token_id', '=', tokenId)
    .where('kind', 'in', ['fetch-document', 'fetch-image'])
    .where('locale', 'not in', kept)
    .execute();
}
