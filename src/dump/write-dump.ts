// Writes a dump of an index into a folder: each table as Parquet and as NDJSON, all in one pass.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WrittenFile } from '#files/file-sink.ts';
import { dumpFile } from '#layout/data-files.ts';
import type { RenderOptions } from '#routes/subject.ts';
import type { StoreReader } from '#store/index-database.ts';
import { openNdjsonFile } from './ndjson-file.ts';
import { openParquetFile } from './parquet-file.ts';
import { readRows } from './read-rows.ts';
import { TABLE_NAMES } from './tables.ts';

/**
 * Writes the files to a new folder. Returns the path of each file in the site, with its content or hash. Calls
 * `checkStop` between parts of the work, which may throw.
 */
export async function writeDump(store: StoreReader, folder: string, options: RenderOptions, checkStop: () => void) {
  mkdirSync(folder, { recursive: true });
  const files = TABLE_NAMES.flatMap((table) =>
    (['parquet', 'ndjson.gz'] as const).map((extension) => {
      const at = join(folder, `${table}.${extension}`);
      const file = extension === 'parquet' ? openParquetFile(at, table) : openNdjsonFile(at, table);
      return { table, path: dumpFile(table, extension), file };
    }),
  );
  try {
    for await (const rows of readRows(store, options)) {
      checkStop();
      for (const { table, file } of files) await file.add(rows[table] ?? []);
    }
    const dumped: { path: string; body: WrittenFile }[] = [];
    for (const { path, file } of files) dumped.push({ path, body: await file.end() });
    return dumped;
  } finally {
    for (const { file } of files) file.close();
  }
}
