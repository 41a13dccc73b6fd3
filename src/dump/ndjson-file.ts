// Writes rows of a table as lines of JSON, compressed with gzip.
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openFileSink, type WrittenFile } from '#files/file-sink.ts';
import { columnsOf, type Row, type TableName } from './tables.ts';

/** In the header, the byte that says which system wrote it, and its value for an unknown one. */
const [SYSTEM_AT, UNKNOWN_SYSTEM] = [9, 255];

export function openNdjsonFile(path: string, table: TableName) {
  const names = columnsOf(table).map(([name]) => name);
  const sink = openFileSink(path);
  const gzip = createGzip();
  const written = pipeline(gzip, async (chunks: AsyncIterable<Buffer>) => {
    let isFirst = true;
    for await (const chunk of chunks) {
      if (isFirst) chunk[SYSTEM_AT] = UNKNOWN_SYSTEM;
      isFirst = false;
      sink.write(chunk);
    }
  });
  // It is awaited with what is written next.
  written.catch(() => {});
  /** Every column, in order, so that readers that guess its type see it. */
  const line = (row: Row) => {
    const cells = row as Readonly<Record<string, unknown>>;
    return `${JSON.stringify(Object.fromEntries(names.map((name) => [name, cells[name] ?? null])))}\n`;
  };
  return {
    async add(rows: readonly Row[]): Promise<void> {
      // A disk that is full ends the pipeline, and nothing is taken any more.
      if (!gzip.write(rows.map(line).join(''))) await Promise.race([once(gzip, 'drain'), written]);
    },
    async end(): Promise<WrittenFile> {
      gzip.end();
      await written;
      return sink.end();
    },
    close(): void {
      gzip.destroy();
      sink.close();
    },
  };
}
