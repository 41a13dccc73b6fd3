// Writes the export of a shard while it is built: what the shard's contracts are in lists, and which files it has.

import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Shard, shardName } from '#model/shard.ts';
import { removeDatabase } from '#sqlite/keep-database.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { copyContracts } from '#store/shards/copy-contracts.ts';
import { insertBuiltFiles, openShardExport, writeExportFacts } from '#store/shards/shard-export.ts';
import type { BuildOptions } from './build-options.ts';
import { codeFingerprint } from './build-origin.ts';
import type { BuildRecord } from './record/build-record.ts';
import { readFiles } from './record/recorded-files.ts';

export type ExportWriter = Awaited<ReturnType<typeof beginExport>>;

/** It takes the place of an earlier one when it is complete: `end` it once the build is in place, or `drop` it. */
export async function beginExport(
  reader: StoreReader,
  shard: Shard,
  { exports: folder, publicUrl, only }: BuildOptions,
) {
  mkdirSync(folder, { recursive: true });
  const path = exportFile(folder, shard);
  const unfinished = `${path}.new`;
  removeDatabase(unfinished);
  const opened = await openShardExport(unfinished);
  const drop = async () => {
    await opened.destroy();
    removeDatabase(unfinished);
  };
  try {
    await opened.transaction().execute(async (transaction) => {
      await copyContracts(reader, transaction, (id) => id);
      const [{ nftMode: nft }, code] = [await readInfo(reader), codeFingerprint()];
      await writeExportFacts(transaction, { shard, publicUrl, only: only ?? '', nft, code });
    });
  } catch (error) {
    await drop();
    throw error;
  }
  const end = async (record: BuildRecord) => {
    await opened.transaction().execute(async (transaction) => {
      for await (const files of readFiles(record)) await insertBuiltFiles(transaction, files);
    });
    await opened.destroy();
    renameSync(unfinished, path);
  };
  return { end, drop };
}

export function exportFile(folder: string, shard: Shard): string {
  return join(folder, `${shardName(shard)}.sqlite`);
}
