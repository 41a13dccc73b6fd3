// Queries about metadata documents. A token has a default document, and may have one per locale.

import { sql } from 'kysely';
import { type Failure, fail, isFailure, type Reason } from '#model/failure.ts';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import type { DocumentKey, Localization, MetadataDocument } from '#model/metadata.ts';
import { excluded, readStoredJson, withoutNulls } from '#sqlite/columns.ts';
import { groupByToken, insertRows, listed } from '#sqlite/lists.ts';
import { failureColumns, storedFailure } from '#sqlite/tables.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';
import { documentsWithImages, IMAGE_OF_DOCUMENT, type NamedImage, toNamedImage } from './images.ts';

/** A document of a token in a locale. */
export interface StoredDocument {
  readonly locale: string;
  /** JSON for {@link parseStored}. Parsed documents are several times larger, and many are in memory together. */
  readonly text: string | undefined;
  /** The image of the document; undefined if the document has no image. */
  readonly image: NamedImage | undefined;
  readonly failure: Reason | undefined;
  /** One sentence for each part that was dropped while reading the document. */
  readonly warnings: readonly string[];
}

export interface NewDocument extends DocumentKey {
  readonly uri: string | undefined;
  /** The document, or the reason why it is missing. */
  readonly result: { readonly document: MetadataDocument; readonly warnings: readonly string[] } | Failure;
  /** Validators for the next conditional request. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Time of the fetch, in ms since the epoch; undefined without a request. */
  readonly fetchedAt?: number;
}

/** Stores documents and failures. A failure never removes a document that was read from the same URI. */
export async function writeDocuments(store: StoreWriter, documents: readonly NewDocument[]): Promise<void> {
  const failed = documents.filter(({ result }) => isFailure(result));
  await insertRows(store, 'document', failed.map(toRow), (conflict) =>
    conflict.doUpdateSet({
      ...excluded('uri', 'failure_code', 'failure_message'),
      document: ifSameUri('document'),
      warnings: ifSameUri('warnings'),
      etag: ifSameUri('etag'),
      last_modified: ifSameUri('last_modified'),
      fetched_at: sql<number | null>`coalesce(excluded.fetched_at, document.fetched_at)`,
    }),
  );
  const read = documents.filter(({ result }) => !isFailure(result));
  await insertRows(store, 'document', read.map(toRow), (conflict) =>
    conflict.doUpdateSet({
      ...excluded('uri', 'document', 'warnings', 'etag', 'last_modified', 'fetched_at'),
      ...failureColumns(undefined),
    }),
  );
}

/** Deletes image jobs of documents that have a new image URI, because failures of the old image do not apply. */
export async function deleteJobsOfOtherImages(store: StoreWriter, documents: readonly NewDocument[]): Promise<void> {
  const named = documents.flatMap(({ tokenId, locale, result }) =>
    isFailure(result) ? [] : [[tokenId, locale, result.document.image ?? null]],
  );
  await sql`delete from job where job_id in (select job_id from json_each(${JSON.stringify(named)}) as named
    cross join job on job.token_id = named.value ->> 0 and kind = 'fetch-image' and job.locale = named.value ->> 1
    cross join document on document.token_id = job.token_id and document.locale = job.locale
    where ${IMAGE_OF_DOCUMENT} is not named.value ->> 2)`.execute(store);
}

function ifSameUri(column: 'document' | 'warnings' | 'etag' | 'last_modified') {
  return sql<string | null>`iif(document.uri = excluded.uri, ${sql.ref(`document.${column}`)}, null)`;
}

function toRow({ tokenId, locale, uri, result, etag, lastModified, fetchedAt }: NewDocument): Schema['document'] {
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

/** Reads the documents of each token: the default document first, then by locale. */
export async function readDocuments(store: StoreReader, tokenIds: readonly number[]) {
  const rows = await documentsWithImages(store)
    .select(['document.locale', 'document.document', 'document.warnings'])
    .select(['document.failure_code', 'document.failure_message'])
    .where('document.token_id', 'in', listed(tokenIds))
    .orderBy('document.token_id')
    .orderBy('document.locale')
    .execute();
  return groupByToken(rows, (row) => ({
    locale: row.locale,
    text: row.document ?? undefined,
    image: toNamedImage(row),
    failure: storedFailure(row),
    warnings: row.warnings === null ? [] : readStoredJson<string[]>(row.warnings, 'a list of warnings'),
  }));
}

/** The fields of a token's default document that a list shows. */
export interface DocumentSummary {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly imageUri: string | undefined;
  readonly image: NamedImage | undefined;
}

export async function readDocumentSummaries(store: StoreReader, tokenIds: readonly number[]) {
  const rows = await documentsWithImages(store)
    .select(sql<string | null>`json_extract(document.document, '$.name')`.as('name'))
    .select(sql<string | null>`json_extract(document.document, '$.description')`.as('description'))
    .select(IMAGE_OF_DOCUMENT.as('imageUri'))
    .where('document.token_id', 'in', listed(tokenIds))
    .where('document.locale', '=', DEFAULT_LOCALE)
    .execute();
  return new Map(
    rows.map((row) => {
      const { name, description, imageUri } = withoutNulls(row);
      return [row.token_id, { name, description, imageUri, image: toNamedImage(row) }];
    }),
  );
}

/** Parses {@link StoredDocument.text}. Throws the error of a damaged database if it is not JSON. */
export function parseStored(text: string): MetadataDocument {
  return readStoredJson(text, 'a document');
}

/** Returns the URI of each token's stored default document, and whether it was read. */
export async function readOrigins(store: StoreReader, tokenIds: readonly number[]) {
  const origins = store
    .selectFrom('document')
    .select(['token_id', 'uri', sql<0 | 1>`document is not null`.as('hasDocument')])
    .where('locale', '=', DEFAULT_LOCALE);
  const rows = await origins.where('token_id', 'in', listed(tokenIds)).execute();
  return new Map(rows.map((row) => [row.token_id, { uri: row.uri ?? undefined, hasDocument: row.hasDocument === 1 }]));
}

/** Reads the localization that a token's default document declares, and the size of that document. */
export async function readLocalization(store: StoreReader, tokenId: number) {
  const row = await documentOf(store, { tokenId, locale: DEFAULT_LOCALE })
    .select(sql<string | null>`json_extract(document, '$.localization')`.as('localization'))
    .select(sql<number>`octet_length(document)`.as('bytes'))
    .executeTakeFirst();
  if (row === undefined || row.localization === null) return undefined;
  return { localization: readStoredJson<Localization>(row.localization, 'a localization'), documentBytes: row.bytes };
}

/** True if a document from this URI is stored, or the reason why it is missing. */
export async function hasDocumentOf(store: StoreReader, key: DocumentKey, uri: string): Promise<boolean> {
  return (await documentOf(store, key).select('locale').where('uri', '=', uri).execute()).length > 0;
}

/** Reads the validators of a document. Both are undefined if no document from this URI is stored. */
export async function readValidators(store: StoreReader, key: DocumentKey, uri: string) {
  const stored = documentOf(store, key).where('uri', '=', uri).where('document', 'is not', null);
  const row = await stored.select(['etag', 'last_modified as lastModified']).executeTakeFirst();
  return withoutNulls(row ?? { etag: null, lastModified: null });
}

function documentOf(store: StoreReader, { tokenId, locale }: DocumentKey) {
  return store.selectFrom('document').where('token_id', '=', tokenId).where('locale', '=', locale);
}

/** Stores the time when a server confirmed that a document has not changed. Deletes the document's failure. */
export async function confirmDocument(store: StoreWriter, { tokenId, locale }: DocumentKey, fetchedAt: number) {
  const confirmed = { fetched_at: fetchedAt, ...failureColumns(undefined) };
  const document = store.updateTable('document').where('token_id', '=', tokenId).where('locale', '=', locale);
  await document.set(confirmed).execute();
}

/** Marks default documents as outdated, because their tokens have another URI now. */
export async function markOutdated(store: StoreWriter, tokenIds: readonly number[]): Promise<void> {
  const documents = store.updateTable('document').where('token_id', 'in', listed(tokenIds));
  await documents
    .where('locale', '=', DEFAULT_LOCALE)
    .set(failureColumns(fail('document-outdated')))
    .execute();
}

/** Deletes the documents of these tokens, and the jobs of these documents, except in the locales `kept`. */
export async function deleteDocumentsExcept(store: StoreWriter, tokenIds: readonly number[], kept: readonly string[]) {
  const listedIds = listed(tokenIds);
  await store.deleteFrom('document').where('token_id', 'in', listedIds).where('locale', 'not in', kept).execute();
  await store
    .deleteFrom('job')
    .where('token_id', 'in', listedIds)
    .where('kind', 'in', ['fetch-document', 'fetch-image'])
    .where('locale', 'not in', kept)
    .execute();
}
