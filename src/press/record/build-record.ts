// Opens the record of a build, and reads what the build was made from.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Shard } from '#model/shard.ts';
import { readStoredJson } from '#sqlite/columns.ts';
import { readValues } from '#sqlite/info.ts';
import { type OpenOptions, openSqlite } from '#sqlite/open-sqlite.ts';
import { RECORD_FILE, type RecordSchema } from './schema.ts';

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
  /** The shard of whose contracts it is; undefined for a whole site. */
  readonly shard?: Shard | undefined;
}

/** The route, in the record of a merge, of files that it does not have: builds of shards have them. */
export const FILES_OF_SHARDS = 'shards';

export interface BuildTotals {
  readonly files: number;
  readonly bytes: number;
}

export interface RecordedFile {
  readonly path: string;
  readonly route: string;
  readonly key: string;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly bytes: number;
}

export interface RecordedChange extends Omit<RecordedFile, 'hash'> {
  readonly action: 'write' | 'remove';
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
