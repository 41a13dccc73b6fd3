// Reads documents and images from the old index, which a rebuild has set aside.
import type { Selectable, SqliteStatement } from 'kysely';
import { filesOfCopy, type ImageFile } from '#layout/image-files.ts';
import { type Failure, fail } from '#model/failure.ts';
import type { MetadataDocument } from '#model/metadata.ts';
import type { Reporter } from '#model/reporter.ts';
import { damagedRow, readStoredJson } from '#sqlite/columns.ts';
import { readPragma } from '#sqlite/open-sqlite.ts';
import { openToRead } from '#sqlite/open-to-read.ts';
import { INDEX_FILE } from './index-database.ts';
import { heightOf } from './schema/chain.ts';
import type { Schema } from './schema/schema.ts';

/** The kinds of data that a rebuild reuses. The summary of the run counts them under these names. */
export type Reused = 'documents' | 'images';

type FailureRow = Pick<Schema['document'], 'failure_code' | 'failure_message'>;

type DocumentRow = Omit<Schema['document'], 'token_id' | 'locale' | 'uri'>;

type ImageRow = Selectable<Schema['image']>;

/** Key of a token. The number is empty for a fungible token or a collection. */
export interface TokenKey {
  readonly contractId: string;
  readonly tokenNumber: string;
}

export type OldIndex = ReturnType<typeof openOldIndex>;

/** Opens an old index, and returns functions that read it. Warns about each kind of unreadable data. */
export function openOldIndex(path: string, reporter: Reporter) {
  const unreadable = new Set<string>();
  const statements = new Map<string, SqliteStatement>();
  const reused: Record<Reused, number> = { documents: 0, images: 0 };

  function attempt<Result>(what: string, read: () => Result): Result | undefined {
    if (database === undefined || unreadable.has(what)) return undefined;
    try {
      return read();
    } catch (error) {
      unreadable.add(what);
      reporter.warn(`The old index ${path} has no readable ${what} (${reasonOf(error)}). They are fetched again.`);
      return undefined;
    }
  }

  const database = open();

  function open() {
    try {
      const opened = openToRead(path, INDEX_FILE);
      try {
        if (readPragma(opened, 'application_id') !== INDEX_FILE.applicationId) throw new Error('it is not an index');
      } catch (error) {
        opened.close();
        throw error;
      }
      return opened;
    } catch (error) {
      reporter.warn(`The old index ${path} cannot be read (${reasonOf(error)}). Everything is fetched again.`);
      return undefined;
    }
  }

  function rows<Row>(text: string, ...parameters: unknown[]): Row[] {
    const statement = statements.get(text) ?? (database?.prepare(text) as SqliteStatement);
    statements.set(text, statement);
    return statement.all(parameters) as Row[];
  }

  return {
    isReadable: database !== undefined,
    reused,

    /** The height of the tip of the old index; undefined if no archive was indexed. */
    tipHeight: attempt('blocks', () => {
      const [row] = rows<{ block_id: number }>(
        'select block_id from block where canonical = 1 order by block_id desc limit 1',
      );
      return row && heightOf(row.block_id);
    }),

    /** Returns a token's document if it was read from this URI, or the final failure of reading it. */
    document: ({ contractId, tokenNumber }: TokenKey, locale: string, uri: string) =>
      attempt('documents', () => {
        const [row] = rows<DocumentRow>(
          `select document.document, document.warnings, document.etag, document.last_modified, document.fetched_at,
            document.failure_code, document.failure_message
          from deploy join token on token.deploy_id = deploy.deploy_id
            join document on document.token_id = token.token_id
          where deploy.contract_id = ? and token.token_number = ? and document.locale = ? and document.uri = ? and document.fetched_at is not null
          order by document.fetched_at desc limit 1`,
          ...[contractId, tokenNumber, locale, uri],
        );
        if (row === undefined) return undefined;
        const failure = row.failure_code === 'document-outdated' ? undefined : toFailure(row);
        if (row.document === null && (failure === undefined || failure.retryable)) return undefined;
        return {
          document: row.document === null ? undefined : (parseObject(row.document) as MetadataDocument),
          warnings: row.warnings === null ? [] : (parseObject(row.warnings) as string[]),
          etag: row.etag ?? undefined,
          lastModified: row.last_modified ?? undefined,
          fetchedAt: row.fetched_at ?? 0,
          failure,
        };
      }),

    /** Returns the copy of an image with the files of the copy, or the final failure of the image. */
    image: (uri: string) =>
      attempt('images', () => {
        const [row] = rows<ImageRow>(
          `select image.sha256, image.extension, image.etag, image.last_modified, image.is_stale,
            image.failure_code, image.failure_message from image where image.uri = ?`,
          uri,
        );
        if (row === undefined) return undefined;
        const failure = toFailure(row);
        const { sha256, extension } = row;
        if (sha256 === null || extension === null)
          return failure === undefined || failure.retryable ? undefined : { failure, copy: undefined };
        const files = filesOfCopy({ sha256, extension }).flatMap((name) =>
          rows<ImageFile>(
            'select image_file.name, image_file.bytes, image_file.sha256 from image_file where name = ?',
            name,
          ),
        );
        if (row.is_stale === 1 || files.length < 2) return undefined;
        const validators = { etag: row.etag ?? undefined, lastModified: row.last_modified ?? undefined };
        return { failure, copy: { sha256, extension, files, ...validators } };
      }),

    [Symbol.dispose]: () => void database?.close(),
  };
}

/** Parses a JSON object. Throws the error of a damaged database if the text is not an object. */
function parseObject(text: string): unknown {
  const value = readStoredJson<unknown>(text, 'a document');
  if (typeof value !== 'object' || value === null) throw damagedRow('a document');
  return value;
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
}

function toFailure({ failure_code: code, failure_message: message }: FailureRow): Failure | undefined {
  return code === null ? undefined : fail(code, message ?? undefined);
}
