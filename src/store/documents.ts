// Queries about metadata documents: the default one of a token, and one a locale.
import { type Failure, type FailureCode, isFailure, type Reason } from '#model/failure.ts';
import type { MetadataDocument } from '#model/metadata.ts';
import { excluded } from './excluded.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns, readInRuns } from './lists.ts';
import type { DocumentTable } from './schema.ts';
import { failureColumns, storedFailure } from './stored-failure.ts';
import { readStoredJson } from './stored-json.ts';

/** The locale of the default document. */
export const DEFAULT_LOCALE = '';

/** A document of a token: the default one, or that of a locale. */
export interface DocumentKey {
  readonly tokenId: number;
  readonly locale: string;
}

export interface StoredDocument {
  readonly locale: string;
  readonly uri: string | undefined;
  readonly document: MetadataDocument | undefined;
  readonly failure: Reason | undefined;
  /** What was dropped while reading it, a sentence each. */
  readonly warnings: readonly string[];
}

export interface NewDocument extends DocumentKey {
  readonly uri: string | undefined;
  /** The document, or why there is none. */
  readonly result: { readonly document: MetadataDocument; readonly warnings: readonly string[] } | Failure;
  /** What a conditional request sends back to the server. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** When the network was asked for it, in ms since the epoch. */
  readonly fetchedAt?: number;
}

/** Stores documents and failures; a failure never takes away a document that was read before. */
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
  const documents = new Map<number, StoredDocument[]>();
  for (const row of rows) {
    const ofToken = documents.get(row.token_id) ?? [];
    ofToken.push({
      locale: row.locale,
      uri: row.uri ?? undefined,
      document: row.document === null ? undefined : readStoredJson<MetadataDocument>(row.document, 'a document'),
      failure: storedFailure(row),
      warnings: row.warnings === null ? [] : readStoredJson<string[]>(row.warnings, 'a list of warnings'),
    });
    documents.set(row.token_id, ofToken);
  }
  return documents;
}

/** Tokens and locales whose document failed with a code. */
export function documentsFailedWith(store: StoreReader, code: FailureCode): Promise<DocumentKey[]> {
  return store
    .selectFrom('document')
    .select(['token_id as tokenId', 'locale'])
    .where('failure_code', '=', code)
    .execute();
}

export interface Validators {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** What a conditional request for a document sends; undefined if there is no document of this URI that an answer could confirm. */
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

/** The server confirmed that a document is as it was. */
export async function confirmDocument(
  store: StoreWriter,
  tokenId: number,
  locale: string,
  fetchedAt: number,
): Promise<void> {
  await store
    .updateTable('document')
    .set({ fetched_at: fetchedAt, failure_code: null, failure_message: null })
    .where('token_id', '=', tokenId)
    .where('locale', '=', locale)
    .execute();
}

/**
 * Documents from the network that are due to be read again, at `now` in ms since the epoch: older than `maxAgeMs`, or than
 * the ttl of a dynamic token. Frozen ones never are.
 */
export function staleDocuments(store: StoreReader, now: number, maxAgeMs: number | undefined): Promise<DocumentKey[]> {
  return store
    .selectFrom('document')
    .innerJoin('token', 'token.token_id', 'document.token_id')
    .select(['document.token_id as tokenId', 'document.locale'])
    .where('document.fetched_at', 'is not', null)
    .where((eb) => eb.or([eb('token.update_mode', 'is', null), eb('token.update_mode', '<>', 'frozen')]))
    .where((eb) =>
      eb.or([
        eb(eb('document.fetched_at', '+', eb(eb.ref('token.ttl_seconds'), '*', 1000)), '<=', now),
        ...(maxAgeMs === undefined ? [] : [eb('document.fetched_at', '<=', now - maxAgeMs)]),
      ]),
    )
    .execute();
}

/** Every document from the network of the served tokens, or of the given contracts alone. */
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

/** Forgets the documents of locales that a token's document does not declare (any more). */
export async function forgetLocales(store: StoreWriter, tokenId: number, declared: readonly string[]): Promise<void> {
  await forgetAllBut(store, tokenId, [DEFAULT_LOCALE, ...declared]);
}

/** Forgets every document of a token that names none (any more). */
export async function forgetDocuments(store: StoreWriter, tokenId: number): Promise<void> {
  await forgetAllBut(store, tokenId, []);
}

async function forgetAllBut(store: StoreWriter, tokenId: number, kept: readonly string[]): Promise<void> {
  await store.deleteFrom('document').where('token_id', '=', tokenId).where('locale', 'not in', kept).execute();
  await store
    .deleteFrom('job')
    .where('token_id', '=', tokenId)
    .where('kind', 'in', ['fetch-document', 'fetch-image'])
    .where('locale', 'not in', kept)
    .execute();
}
