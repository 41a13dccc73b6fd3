// Stores the export of a shard's build for the merge: what lists, search files and counts show, and the files built.

import type { Kysely, Transaction } from 'kysely';
import { formatShard, parseShard, type Shard } from '#model/shard.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import { inOrderOf, insertRows } from '#sqlite/lists.ts';
import { type FileKind, type OpenOptions, openSqlite } from '#sqlite/open-sqlite.ts';
import { hash, integer, keyed, type RowsOf, statementsOf, text } from '#sqlite/tables.ts';
import { SCHEMA, type Schema } from '../schema/schema.ts';

const BUILT = { built_file: keyed({ path: text('primary key'), sha256: hash(), bytes: integer() }) };

type ExportSchema = Schema & RowsOf<typeof BUILT>;

export type ShardExport = Kysely<ExportSchema>;
type ExportWriter = Transaction<ExportSchema>;

export interface BuiltFile {
  readonly path: string;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly bytes: number;
}

/** How a shard was built, which must be the same for all shards. */
export interface ExportFacts {
  readonly shard: Shard;
  readonly publicUrl: string;
  readonly only: string;
  /** How much of collections its index has. */
  readonly nft: string;
  /** Version of the program that built it. */
  readonly code: string;
}

const EXPORT_FILE: FileKind = {
  what: 'export of a shard',
  remedy: () => 'build the shard again',
  whenFull: 'Make room and run again.',
  applicationId: 0x53545045, // "STPE"
  schema: [...SCHEMA, ...statementsOf(BUILT)],
};

export function openShardExport(path: string, options?: OpenOptions): Promise<ShardExport> {
  return openSqlite<ExportSchema>(path, EXPORT_FILE, options);
}

export async function writeExportFacts(to: ExportWriter, facts: ExportFacts): Promise<void> {
  const { shard, publicUrl, only, nft, code } = facts;
  await writeValues(to, { shard: formatShard(shard), public_url: publicUrl, only, nft, code });
}

/** Undefined if its writing was not finished. */
export async function readExportFacts(from: ShardExport): Promise<ExportFacts | undefined> {
  const { shard = '', public_url: publicUrl = '', only = '', nft = '', code = '' } = await readValues(from);
  const parsed = parseShard(shard);
  return parsed && { shard: parsed, publicUrl, only, nft, code };
}

export async function insertBuiltFiles(to: ExportWriter, files: readonly BuiltFile[]): Promise<void> {
  const rows = files.map(({ path, hash, bytes }) => ({ path, sha256: Buffer.from(hash, 'hex'), bytes }));
  await insertRows(to, 'built_file', rows, (conflict) => conflict.doNothing());
}

const FILES_PER_READ = 2_000;

/** Sorted by path. */
export async function* readBuiltFiles(from: ShardExport): AsyncGenerator<BuiltFile[]> {
  const files = from.selectFrom('built_file').selectAll();
  for await (const rows of inOrderOf(files, 'path', 'path', FILES_PER_READ))
    yield rows.map(({ path, sha256, bytes }) => ({ path, hash: sha256.toString('hex'), bytes }));
}
