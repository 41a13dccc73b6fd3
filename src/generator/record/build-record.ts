// The record of a build, a SQLite file in its folder: what it was made from, what was written, and what is about to be.

import { type Kysely, sql, type Transaction } from 'kysely';
import { readStoredJson } from '#sqlite/columns.ts';
import { INFO, readValues } from '#sqlite/info.ts';
import { type FileKind, type OpenOptions, openSqlite } from '#sqlite/open-sqlite.ts';
import { hash, integer, keyed, nullable, type RowsOf, statementsOf, text } from '#sqlite/tables.ts';

/** `route` and `key`: which route and which of its entries the file belongs to. */
const FILE = { path: text('primary key'), route: text(), key: text(), sha256: hash(), bytes: integer() };

const TABLES = {
  ...INFO,
  file: keyed(FILE).and('create index file_entry on file (route, key)'),
  /**
   * A change that is decided and staged but perhaps not in place: after a crash, the next build finishes it. `sha256`:
   * null for a file that is to be removed.
   */
  change: keyed({ ...FILE, sha256: nullable(hash()) }),
};

type RecordSchema = RowsOf<typeof TABLES>;
export type FileRow = RecordSchema['file'];

/** True at any step of a build. */
export const OUT_OF_ROOM = 'Every file that is served is whole; make room and build again.';

const RECORD_FILE: FileKind = {
  what: 'build record',
  remedy: () => 'delete the output folder and build again',
  whenFull: OUT_OF_ROOM,
  applicationId: 0x53545042, // "STPB"
  // A change that is recorded as done must be done, even after a power cut.
  durable: true,
  schema: statementsOf(TABLES),
};

export type RecordReader = Kysely<RecordSchema> | Transaction<RecordSchema>;
export type BuildRecord = Kysely<RecordSchema>;
export type RecordWriter = Transaction<RecordSchema>;

/** The sources of a build: index, revision, options and program. */
export interface BuildOrigin {
  readonly indexId: string;
  /** Where the index was, from the output folder: the two may move together. */
  readonly indexFile: string;
  readonly chainId?: number | undefined;
  readonly revision: number;
  /** Which history of the index the revision belongs to. */
  readonly history: string;
  /** Options and program that decide what is rendered. */
  readonly fingerprint: string;
  /** The ids of the examples in the description of the API. */
  readonly examples?: string | undefined;
  /** Options that add files of their own. */
  readonly extras?: string | undefined;
  /** Set by earlier versions for a build that has one shard of a site. */
  readonly shard?: unknown;
}

export interface BuildTotals {
  readonly files: number;
  readonly bytes: number;
}

/** How much a build changed. */
export interface ChangeCounts {
  readonly written: number;
  readonly writtenBytes: number;
  readonly removed: number;
}

export interface RecordedFile extends Readonly<Omit<FileRow, 'sha256'>> {
  /** SHA-256, hex. */
  readonly hash: string;
}

export interface RecordedChange extends Omit<RecordedFile, 'hash'> {
  /** Undefined for a removal. */
  readonly hash: string | undefined;
}

export function openBuildRecord(path: string, options?: OpenOptions): Promise<BuildRecord> {
  return openSqlite<RecordSchema>(path, RECORD_FILE, options);
}

/** For an empty record: until it is opened again, new pages go straight to the file, not through a write-ahead log. */
export async function expectAllNew(record: BuildRecord): Promise<void> {
  await sql`pragma journal_mode = delete`.execute(record);
  // Removing the journal is the commit, so that must be on the disk too.
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
