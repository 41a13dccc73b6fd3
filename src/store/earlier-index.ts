// Reads documents, images and responses of nodes and APIs from the kept index, which a rebuild has set aside.
import type { Selectable, SqliteStatement } from 'kysely';
import { filesOfCopy, type ImageFile } from '#layout/image-files.ts';
import { type Failure, fail } from '#model/failure.ts';
import type { MetadataDocument } from '#model/metadata.ts';
import type { Reporter } from '#model/reporter.ts';
import { exceededLength, isUnproven, type Reading } from '#model/token.ts';
import { damagedRow, hashFromBlob, readStoredJson } from '#sqlite/columns.ts';
import { findDamage, readPragma } from '#sqlite/open-sqlite.ts';
import { openToRead } from '#sqlite/open-to-read.ts';
import { INDEX_FILE } from './index-database.ts';
import { heightOf } from './schema/block-ids.ts';
import type { Schema } from './schema/schema.ts';

/** The kinds of data that a run takes from a kept index. The summary of the run counts them under these names. */
export type Taken = 'documents' | 'images' | 'values' | 'contracts' | 'interfaces';

type FailureRow = Pick<Schema['document'], 'failure_code' | 'failure_message'>;

type DocumentRow = Omit<Schema['document'], 'token_id' | 'locale' | 'uri'>;

type ImageRow = Selectable<Schema['image']>;
type ReadingRow = Schema['reading'] & Pick<Schema['token'], 'values_read_at'>;
type CodeRow = Omit<Schema['deploy_code'], 'deploy_id'> & Pick<Schema['deploy'], 'interface_from'>;
type ContractRow = CodeRow & Schema['report'] & Pick<Schema['deploy'], 'tx_id' | 'clarity_version'>;

/** Key of a token. The number is empty for a fungible token or a collection. */
export interface TokenKey {
  readonly contractId: string;
  readonly tokenNumber: string;
}

export type EarlierIndex = ReturnType<typeof openEarlierIndex>;

/** Opens a kept index, and returns functions that read it. Warns about each kind of unreadable data. */
export function openEarlierIndex(path: string, reporter: Reporter) {
  const unreadable = new Set<string>();
  const statements = new Map<string, SqliteStatement>();
  const taken: Record<Taken, number> = { documents: 0, images: 0, values: 0, contracts: 0, interfaces: 0 };

  function attempt<Result>(what: string, read: () => Result): Result | undefined {
    if (database === undefined || unreadable.has(what)) return undefined;
    try {
      return read();
    } catch (error) {
      unreadable.add(what);
      reporter.warn(`The kept index ${path} has no readable ${what} (${reasonOf(error)}). They are fetched again.`);
      return undefined;
    }
  }

  const database = open();

  function open() {
    try {
      const opened = openToRead(path, INDEX_FILE);
      try {
        if (readPragma(opened, 'application_id') !== INDEX_FILE.applicationId) throw new Error('it is not an index');
        const damage = findDamage(opened);
        if (damage !== undefined) throw new Error(damage);
      } catch (error) {
        opened.close();
        throw error;
      }
      return opened;
    } catch (error) {
      reporter.warn(`The kept index ${path} cannot be read (${reasonOf(error)}). Everything is fetched again.`);
      return undefined;
    }
  }

  function rows<Row>(text: string, ...parameters: unknown[]): Row[] {
    const statement = statements.get(text) ?? (database?.prepare(text) as SqliteStatement);
    statements.set(text, statement);
    return statement.all(parameters) as Row[];
  }

  const tokens = `from deploy join token on token.deploy_id = deploy.deploy_id
    and deploy.contract_id = ? and token.token_number = ?`;

  return {
    isReadable: database !== undefined,
    taken,

    /** The highest canonical block of the kept index; undefined if no archive was indexed. */
    tip: attempt('blocks', () => {
      const text = 'select block_id, hash from block where canonical = 1 order by block_id desc limit 1';
      const [row] = rows<{ block_id: number; hash: Buffer }>(text);
      return row && { height: heightOf(row.block_id), indexBlockHash: hashFromBlob(row.hash) };
    }),

    /** Returns a token's document if it was read from this URI, or the final failure of reading it. */
    document: ({ contractId, tokenNumber }: TokenKey, locale: string, uri: string) =>
      attempt('documents', () => {
        const [row] = rows<DocumentRow>(
          `select document.document, document.warnings, document.etag, document.last_modified, document.fetched_at,
            document.failure_code, document.failure_message
          ${tokens} join document on document.token_id = token.token_id
          where document.locale = ? and document.uri = ? and document.fetched_at is not null
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

    /** Returns a token's values from a node, except values that archives have marked as unproven. */
    values: ({ contractId, tokenNumber }: TokenKey) =>
      attempt('values', () =>
        rows<ReadingRow>(
          `select reading.getter, reading.source, reading.height, reading.value,
            reading.failure_code, reading.failure_message, token.values_read_at
          ${tokens} join reading on reading.token_id = token.token_id
          where reading.source = 'node' and token.values_read_at is not null`,
          ...[contractId, tokenNumber],
        ).flatMap((row) => {
          const failure = toFailure(row);
          const reading: Reading = {
            getter: row.getter,
            source: row.source,
            ...(row.height === null ? {} : { height: row.height }),
            ...(row.value === null ? {} : { value: row.value }),
            ...(failure === undefined ? {} : { failure }),
          };
          if (failure !== undefined && (failure.retryable || isUnproven(failure))) return [];
          if (exceededLength(row.getter, row.value ?? '') !== undefined) return [];
          return [{ reading, readAt: row.values_read_at ?? 0 }];
        }),
      ) ?? [],

    /** Returns the deploy of a contract that an API reported, with the deploy's code. */
    contract: (contractId: string) =>
      attempt('contracts', () =>
        rows<ContractRow>(
          `select deploy.tx_id, deploy.clarity_version, deploy.interface_from,
            deploy_code.interface_bytes, deploy_code.source_bytes, deploy_code.code,
            report.block_height, report.canonical, report.tip_height
          from report join deploy on deploy.deploy_id = report.deploy_id
          join deploy_code on deploy_code.deploy_id = deploy.deploy_id
          where report.contract_id = ? and report.failure_code is null`,
          contractId,
        )
          .map((row) => ({ ...row, txId: hashFromBlob(row.tx_id) }))
          .at(0),
      ),

    /**
     * Returns the code of a contract whose interface was requested from a node or an API. Its source may differ now.
     */
    requestedInterface: (contractId: string) =>
      attempt('interfaces', () =>
        rows<CodeRow>(
          `select deploy.interface_from, deploy_code.interface_bytes, deploy_code.source_bytes,
            deploy_code.code from deploy join deploy_code on deploy_code.deploy_id = deploy.deploy_id
          join interface_attempt on interface_attempt.deploy_id = deploy.deploy_id
          where deploy.contract_id = ? and interface_attempt.is_requested = 1`,
          contractId,
        ).at(0),
      ),

    /** Yields pages of the values in an API's token list. */
    *listedTokens() {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const page: { contract_id: string; answers: string }[] =
          attempt('listed tokens', () =>
            rows(
              `select listed_token.contract_id, listed_token.answers from listed_token
              where listed_token.contract_id > ? order by listed_token.contract_id limit 100`,
              after,
            ),
          ) ?? [];
        if (page.length > 0) yield page;
        after = page.at(-1)?.contract_id;
      }
    },

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
