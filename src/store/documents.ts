// Queries about metadata documents: the default one of a token, and one a locale.
import type { Failure, FailureCode } from '#model/failure.ts';
import type { MetadataDocument } from '#model/metadata.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';

/** The locale of the default document. */
export const DEFAULT_LOCALE = '';

export interface StoredDocument {
  readonly locale: string;
  readonly uri: string | undefined;
  readonly document: MetadataDocument | undefined;
  readonly failure: { readonly code: FailureCode; readonly message: string } | undefined;
  /** What was dropped while reading it, a sentence each. */
  readonly warnings: readonly string[];
}

export interface NewDocument {
  readonly tokenId: number;
  readonly locale: string;
  readonly uri: string | undefined;
  /** The document, or why there is none. */
  readonly result: { readonly document: MetadataDocument; readonly warnings: readonly string[] } | Failure;
  /** What a conditional request sends back to the server. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** Stores a document, or a failure; a failure never takes away a document that was read before. */
export async function writeDocument(
  store: StoreWriter,
  { tokenId, locale, uri, result, etag, lastModified }: NewDocument,
): Promise<void> {
  const failed = 'failure' in result;
  const row = {
    uri: uri ?? null,
    document: failed ? null : JSON.stringify(result.document),
    failure_code: failed ? result.failure : null,
    failure_message: failed ? result.message : null,
    warnings: failed || result.warnings.length === 0 ? null : JSON.stringify(result.warnings),
    etag: etag ?? null,
    last_modified: lastModified ?? null,
  };
  await store
    .insertInto('document')
    .values({ token_id: tokenId, locale, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['token_id', 'locale'])
        .doUpdateSet(failed ? { failure_code: row.failure_code, failure_message: row.failure_message } : row),
    )
    .execute();
}

/** Documents of each token, the default one first, then by locale. */
export async function readDocuments(
  store: StoreReader,
  tokenIds: readonly number[],
): Promise<Map<number, StoredDocument[]>> {
  const documents = new Map<number, StoredDocument[]>();
  for (const run of inRuns(tokenIds)) {
    const rows = await store
      .selectFrom('document')
      .selectAll()
      .where('token_id', 'in', run)
      .orderBy('token_id')
      .orderBy('locale')
      .execute();
    for (const row of rows) {
      const ofToken = documents.get(row.token_id) ?? [];
      ofToken.push({
        locale: row.locale,
        uri: row.uri ?? undefined,
        document: row.document === null ? undefined : (JSON.parse(row.document) as MetadataDocument),
        failure:
          row.failure_code === null
            ? undefined
            : { code: row.failure_code as FailureCode, message: row.failure_message ?? '' },
        warnings: row.warnings === null ? [] : (JSON.parse(row.warnings) as string[]),
      });
      documents.set(row.token_id, ofToken);
    }
  }
  return documents;
}

/** Tokens and locales whose document failed with a code. */
export async function documentsFailedWith(
  store: StoreReader,
  code: FailureCode,
): Promise<{ readonly tokenId: number; readonly locale: string }[]> {
  const rows = await store
    .selectFrom('document')
    .select(['token_id', 'locale'])
    .where('failure_code', '=', code)
    .execute();
  return rows.map((row) => ({ tokenId: row.token_id, locale: row.locale }));
}
