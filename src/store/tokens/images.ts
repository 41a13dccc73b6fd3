// Queries about images: our copy of each image URI, or the reason why it is missing.

import { type Expression, type SqlBool, sql } from 'kysely';
import type { ImageFile } from '#layout/image-files.ts';
import { type Failure, isFailure, type Reason } from '#model/failure.ts';
import type { DocumentKey } from '#model/metadata.ts';
import type { TokenStandard } from '#model/token.ts';
import { excluded, withoutNulls } from '#sqlite/columns.ts';
import { insertRows, listed, rowsWith } from '#sqlite/lists.ts';
import { failureColumns, storedFailure } from '#sqlite/tables.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';

type DocumentRow = Pick<Schema['document'], 'token_id' | 'locale'>;

/** The URI of a document's image. The expression is written exactly as in the database index on it. */
export const IMAGE_OF_DOCUMENT = sql<string | null>`json_extract(document.document, '$.image')`;

/** The size stored for a damaged file. No real file has this size. */
const NO_SIZE = -1;

interface StoredImage {
  readonly isStale: boolean;
  readonly copy: { readonly sha256: string; readonly extension: string } | undefined;
  /** Validators for the next conditional request. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly failure: Reason | undefined;
}

export type NamedImage = Pick<StoredImage, 'copy' | 'failure'>;

export function documentsWithImages(store: StoreReader) {
  return store
    .selectFrom('document')
    .leftJoin('image', (join) => join.on('image.uri', '=', IMAGE_OF_DOCUMENT))
    .select(['document.token_id', 'image.sha256', 'image.extension'])
    .select(['image.failure_code as image_failure_code', 'image.failure_message as image_failure_message'])
    .select(sql<0 | 1>`${IMAGE_OF_DOCUMENT} is not null`.as('names_image'));
}

type WithImage = Awaited<ReturnType<ReturnType<typeof documentsWithImages>['executeTakeFirstOrThrow']>>;

/** Returns the image of a document; undefined for a document without an image. */
export function toNamedImage(row: WithImage): NamedImage | undefined {
  if (row.names_image === 0) return undefined;
  return {
    copy: toCopy(row),
    failure: storedFailure({ failure_code: row.image_failure_code, failure_message: row.image_failure_message }),
  };
}

function toCopy({ sha256, extension }: { sha256: string | null; extension: string | null }): StoredImage['copy'] {
  return sha256 === null || extension === null ? undefined : { sha256, extension };
}

export async function readImageUri(store: StoreReader, { tokenId, locale }: DocumentKey): Promise<string | undefined> {
  const uri = store.selectFrom('document').select(IMAGE_OF_DOCUMENT.as('uri')).where('token_id', '=', tokenId);
  return (await uri.where('locale', '=', locale).executeTakeFirst())?.uri ?? undefined;
}

export interface NewCopy {
  readonly sha256: string;
  readonly extension: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** Empty if the files are stored already. */
  readonly files: readonly ImageFile[];
}

/** Stores a copy, or a failure; a failure never removes an earlier copy. */
export async function writeImage(store: StoreWriter, uri: string, result: NewCopy | Failure): Promise<void> {
  if (!isFailure(result))
    await insertRows(store, 'image_file', result.files, (conflict) =>
      conflict.column('name').doUpdateSet(excluded('bytes', 'sha256')),
    );
  const row = isFailure(result)
    ? failureColumns(result)
    : {
        sha256: result.sha256,
        extension: result.extension,
        etag: result.etag ?? null,
        last_modified: result.lastModified ?? null,
        ...failureColumns(undefined),
        is_stale: 0 as const,
      };
  await store
    .insertInto('image')
    .values({ uri, ...row })
    .onConflict((conflict) => conflict.column('uri').doUpdateSet(row))
    .execute();
}

export async function readImageFiles(store: StoreReader, names: readonly string[]): Promise<Map<string, ImageFile>> {
  const rows = await rowsWith(store, 'image_file', 'name', names);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Marks files as damaged, so that the next index run replaces them. Skips a file that has another hash now. */
export async function markDamaged(store: StoreWriter, files: readonly ImageFile[]): Promise<void> {
  for (const { name, sha256 } of files)
    await sql`update image_file set bytes = ${NO_SIZE} where name = ${name} and sha256 = ${sha256}`.execute(store);
}

export async function forgetCopies(store: StoreWriter, hashes: readonly string[]): Promise<void> {
  const lost = store.updateTable('image').where('sha256', 'in', listed(hashes));
  await lost.set({ sha256: null, extension: null }).execute();
}

export async function readImages(store: StoreReader, uris: readonly string[]): Promise<Map<string, StoredImage>> {
  const rows = await rowsWith(store, 'image', 'uri', uris);
  return new Map(
    rows.map((row) => {
      const { etag, last_modified: lastModified } = withoutNulls(row);
      return [
        row.uri,
        { isStale: row.is_stale === 1, copy: toCopy(row), etag, lastModified, failure: storedFailure(row) },
      ];
    }),
  );
}

/**
 * Returns copies that changed after a revision, by hash; for revision 0, all copies. Removed copies have no extension.
 * `standards`: only copies that served tokens of these standards use; the others count as removed.
 */
export async function changedCopies(store: StoreReader, sinceRevision: number, standards?: readonly TokenStandard[]) {
  const changed =
    sinceRevision === 0
      ? sql`select distinct sha256 as key from image where sha256 is not null and ${isUsed(standards)}`
      : sql`select key from ledger where entity = 'image' and revision > ${sinceRevision}`;
  const { rows } = await sql<{ sha256: string; extension: string | null }>`
    select key as sha256, max(extension) as extension from (${changed})
    left join image on image.sha256 = key and ${isUsed(standards)}
    group by key order by key`.execute(store);
  return rows.map(withoutNulls);
}

function isUsed(standards: readonly TokenStandard[] | undefined) {
  if (standards === undefined) return sql<SqlBool>`true`;
  // The plus makes SQLite use the index of expressions, which have no type.
  return sql<SqlBool>`exists (select 1 from document cross join token using (token_id)
    cross join contract using (deploy_id) cross join deploy using (deploy_id)
    where ${IMAGE_OF_DOCUMENT} = +image.uri and contract.canonical = 1 and contract.confirmed = 1
    and deploy.standard in ${listed(standards)})`;
}

/** Marks the images of documents as stale. Skips URIs that are not http or https, because such images never change. */
export async function markImagesStale(store: StoreWriter, documents: Expression<DocumentRow>): Promise<void> {
  await sql`update image set is_stale = 1 where (uri like 'http://%' or uri like 'https://%') and uri in
    (select ${IMAGE_OF_DOCUMENT} from ${documents} as named join document using (token_id, locale))`.execute(store);
}
