// Defines the record of a build: a SQLite file in the output folder with the origin of the site and its files.

import type { Kysely, Transaction } from 'kysely';
import { readStoredJson } from '#sqlite/columns.ts';
import { INFO, readValues } from '#sqlite/info.ts';
import { type FileKind, type OpenOptions, openSqlite } from '#sqlite/open-sqlite.ts';
import { hash, integer, keyed, type RowsOf, statementsOf, text } from '#sqlite/tables.ts';

/** The columns of a file. `route` and `key` identify the entry that the file belongs to. */
const FILE = { path: text('primary key'), route: text(), key: text(), sha256: hash(), bytes: integer() };

const TABLES = {
  /**
   * Stores the origin and the totals of the site, and the files of hosts that were written outside it. `placing` is set
   * while the output folder is not yet as recorded.
   */
  ...INFO,
  /** The files of the site. A build records them before it moves them from the staging folder to their places. */
  file: keyed(FILE).and('create index file_entry on file (route, key)'),
  /** The files that a build removes after it has placed the new ones. */
  obsolete: keyed({ path: text('primary key') }),
};

type RecordSchema = RowsOf<typeof TABLES>;
export type FileRow = RecordSchema['file'];

/** The advice if the disk is full, at any step of a build. */
export const FREE_SPACE = 'All served files are complete. Free space, then build again.';

const RECORD_FILE: FileKind = {
  what: 'build record',
  remedy: () => 'delete the output folder and build again.',
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
  /** The options that add files to a build, such as `dump` and `hosts`, as JSON. */
  readonly extras?: string | undefined;
  /** True if the output folder ignores case. Undefined in records of earlier versions. */
  readonly ignoresCase?: boolean;
  /** The ids of the contracts that the output folder cannot hold. */
  readonly leftOut?: readonly string[];
}

export interface BuildTotals {
  readonly files: number;
  readonly bytes: number;
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

/** Returns the origin, the totals and the hash of the site; undefined if no build has recorded a site. */
export async function readOrigin(
  record: RecordReader,
): Promise<(BuildOrigin & BuildTotals & { readonly siteHash: string }) | undefined> {
  const { origin, files, bytes, site_hash: siteHash = '' } = await readValues(record);
  if (origin === undefined) return undefined;
  return {
    ...readStoredJson<BuildOrigin>(origin, 'the origin of a build'),
    files: Number(files),
    bytes: Number(bytes),
    siteHash,
  };
}

/** Returns true if a build was killed after it recorded the files of the site, and before it placed all of them. */
export async function isPlacing(record: RecordReader): Promise<boolean> {
  return (await readValues(record)).placing !== undefined;
}
