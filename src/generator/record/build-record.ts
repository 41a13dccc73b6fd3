// Defines the record of a build, a SQLite file in the output folder: sources, written files, and planned changes.

import { type Kysely, sql, type Transaction } from 'kysely';
import { readStoredJson } from '#sqlite/columns.ts';
import { INFO, readValues } from '#sqlite/info.ts';
import { type FileKind, type OpenOptions, openSqlite } from '#sqlite/open-sqlite.ts';
import { hash, integer, keyed, nullable, type RowsOf, statementsOf, text } from '#sqlite/tables.ts';

/** Columns of a file. `route` and `key` identify the entry of the file. */
const FILE = { path: text('primary key'), route: text(), key: text(), sha256: hash(), bytes: integer() };

const TABLES = {
  ...INFO,
  file: keyed(FILE).and('create index file_entry on file (route, key)'),
  /**
   * Planned changes, whose files are staged. After a crash, the next build finishes them. `sha256` is null for a
   * removal.
   */
  change: keyed({ ...FILE, sha256: nullable(hash()) }),
};

type RecordSchema = RowsOf<typeof TABLES>;
export type FileRow = RecordSchema['file'];

/** The advice for a full disk at any step of a build. */
export const FREE_SPACE = 'All served files are complete. Free space, then build again.';

const RECORD_FILE: FileKind = {
  what: 'build record',
  remedy: () => 'delete the output folder and build again',
  whenFull: FREE_SPACE,
  applicationId: 0x53545042, // "STPB"
  // Committed changes must survive a power cut.
  durable: true,
  schema: statementsOf(TABLES),
};

export type RecordReader = Kysely<RecordSchema> | Transaction<RecordSchema>;
export type BuildRecord = Kysely<RecordSchema>;
export type RecordWriter = Transaction<RecordSchema>;

/** The sources of a build: index, revision, options and program. */
export interface BuildOrigin {
  readonly indexId: string;
  /** The path of the index, relative to the output folder, since both may move together. */
  readonly indexFile: string;
  readonly chainId?: number | undefined;
  readonly revision: number;
  /** The history of the index that the revision belongs to. */
  readonly history: string;
  /** A hash of the program and of the options that affect rendering. */
  readonly fingerprint: string;
  /** The ids of the examples in the API description. */
  readonly examples?: string | undefined;
  /** The options that add files: dump and hosts. */
  readonly extras?: string | undefined;
  /** Set by earlier versions for a build of one shard of a site. */
  readonly shard?: unknown;
}

export interface BuildTotals {
  readonly files: number;
  readonly bytes: number;
}

/** The number of files that a build wrote and removed. */
export interface ChangeCounts {
  readonly written: number;
  readonly writtenBytes: number;
  readonly removed: number;
}

export interface RecordedFile extends Readonly<Omit<FileRow, 'sha256'>> {
  /** The SHA-256 of the content, in hex. */
  readonly hash: string;
}

export interface RecordedChange extends Omit<RecordedFile, 'hash'> {
  /** Undefined for a removal. */
  readonly hash: string | undefined;
}

export function openBuildRecord(path: string, options?: OpenOptions): Promise<BuildRecord> {
  return openSqlite<RecordSchema>(path, RECORD_FILE, options);
}

/** Turns off the write-ahead log of an empty record until it is opened again, so that pages are written only once. */
export async function expectAllNew(record: BuildRecord): Promise<void> {
  await sql`pragma journal_mode = delete`.execute(record);
  // In this mode, deleting the journal commits, so the deletion must reach the disk too.
  await sql`pragma synchronous = extra`.execute(record);
}

export async function readOrigin(record: RecordReader): Promise<(BuildOrigin & BuildTotals) | undefined> {
  const { origin, files, bytes } = await readValues(record);
  if (origin === undefined) return undefined;
  return {
    ...readStoredJson<BuildOrigin>(origin, 'the origin of a build'),
    files: Number(files),
    bytes: Number(bytes),
  };
}
