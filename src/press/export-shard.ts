// Writes the export of a shard while it is built: what the shard's contracts are in lists, and which files it has.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Shard, shardName } from '#model/shard.ts';
import { FILE_SUFFIXES } from '#sqlite/open-sqlite.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { copyContracts } from '#store/shards/copy-contracts.ts';
import { insertBuiltFiles, openShardExport, type ShardExport, writeExportFacts } from '#store/shards/shard-export.ts';
import type { BuildOptions } from './build-options.ts';
import { codeFingerprint } from './build-origin.ts';
import type { BuildRecord } from './record/build-record.ts';
import { readFiles } from './record/recorded-files.ts';

/** Takes the place of an earlier one when it is complete. */
export class ExportWriter {
  readonly #path: string;
  readonly #export: ShardExport;

  private constructor(path: string, opened: ShardExport) {
    this.#path = path;
    this.#export = opened;
  }

  static async begin(
    reader: StoreReader,
    shard: Shard,
    { exports: folder, publicUrl, only }: BuildOptions,
  ): Promise<ExportWriter> {
    mkdirSync(folder, { recursive: true });
    const path = exportFile(folder, shard);
    removeUnfinished(path);
    const writer = new ExportWriter(path, await openShardExport(unfinished(path)));
    try {
      await writer.#export.transaction().execute(async (transaction) => {
        await copyContracts(reader, transaction, (id) => id);
        const [{ nftMode: nft }, code] = [await readInfo(reader), codeFingerprint()];
        await writeExportFacts(transaction, { shard, publicUrl, only: only ?? '', nft, code });
      });
      return writer;
    } catch (error) {
      await writer.drop();
      throw error;
    }
  }

  /** Once the build is in place. */
  async end(record: BuildRecord): Promise<void> {
    await this.#export.transaction().execute(async (transaction) => {
      for await (const files of readFiles(record)) await insertBuiltFiles(transaction, files);
    });
    await this.#export.destroy();
    renameSync(unfinished(this.#path), this.#path);
  }

  async drop(): Promise<void> {
    await this.#export.destroy();
    removeUnfinished(this.#path);
  }
}

export function exportFile(folder: string, shard: Shard): string {
  return join(folder, `${shardName(shard)}.sqlite`);
}

function unfinished(path: string): string {
  return `${path}.new`;
}

function removeUnfinished(path: string): void {
  for (const suffix of FILE_SUFFIXES)
    if (existsSync(unfinished(path) + suffix)) rmSync(unfinished(path) + suffix, { force: true });
}
