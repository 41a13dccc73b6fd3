// Defines the record of a build: a SQLite file in the output folder with the sources, the written files and the planned
// changes.

import { type Kysely, sql, type Transaction } from 'kysely';
import { readStoredJson } from '#sqlite/columns.ts';
import { INFO, readValues } from '#sqlite/info.ts';
import { type FileKind, type OpenOptions, openSqlite } from '#sqlite/open-sqlite.ts';
import { hash, integer, keyed, nullable, type RowsOf, statementsOf, text } from '#sqlite/tables.ts';

/** The columns of a file. `route` and `key` identify the entry that the file belongs to. */
const FILE = { path: text('primary key'), route: text(), key: text(), sha256: hash(), bytes: integer() };

const TABLES = {
  ...INFO,
  file: keyed(FILE).and('create index file_entry on file (route, key)'),
  /**
   * Planned changes: files to write, which are staged, and files to remove, whose `sha256` is null. After a crash, the
   * next build executes them.
   */
  change: keyed({ ...FILE, sha256: nullable(hash()) }),
};

type RecordSchema = RowsOf<typeof TABLES>;
export type FileRow = RecordSchema['file'];

/** The advice if the disk is full, at any step of a build. */
export const FREE_SPACE = 'All served files are complete. Free space, then build again.';

const RECORD_FILE: FileKind = {
  what: 'build record',
  remedy: () => 'delete the output folder and build again',
  whenFull: FREE_SPACE,
  applicationId: 0x53545042, // "STPB"
  // A committed change must survive a power cut.
  durable: true,
  schema: statementsOf(TABLES),
};

export type RecordReader = Kysely<RecordSchema> | Transaction<RecordSchema>;
export type BuildRecord = Kysely<RecordSchema>;
export type RecordWriter = Transaction<RecordSchema>;

/** The origin of a build: the index, its revision, the options and the program. */
export interface BuildOrigin {
  readonly indexId: string;
  /** The path of the index relative to the output folder, since both folders may be moved together. */
  readonly indexFile: string;
  readonly chainId?: number | undefined;
  readonly revision: number;
  /** Identifies the history of the index up to the revision. */
  readonly history: string;
  /** A hash of the program and of the options that affect rendering. */
  readonly fingerprint: string;
  /** The ids of the examples in the API description, as JSON. */
  readonly examples?: string | undefined;
  /** The options that add files to a build: `dump` and `hosts`, as JSON. */
  readonly extras?: string | undefined;
}

export interface BuildTotals {
  readonly files: number;
  readonly bytes: number;
}

/** The number of files that a build wrote, their bytes, and the number of files that it removed. */
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
  /** The SHA-256 of the new content, in hex. Undefined if the file is removed. */
  readonly hash: string | undefined;
}

export function openBuildRecord(path: string, options?: OpenOptions): Promise<BuildRecord> {
  return openSqlite<RecordSchema>(path, RECORD_FILE, options);
}

/**
 * Prepares an empty record for a first build. Without the write-ahead log, pages are written only once. The log returns
 * when the record is opened again.
 */
export async function expectAllNew(record: BuildRecord): Promise<void> {
  await sql`pragma journal_mode = delete`.execute(record);
  // Without the log, deleting the journal is the commit, so the deletion must reach the disk.
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
