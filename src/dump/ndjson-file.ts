// Writes rows of a table as lines of JSON, compressed with gzip.
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openFileSink, type WrittenFile } from '#files/file-sink.ts';
import { columnsOf, type Row, type TableName } from './tables.ts';

/**
 * The offset of the byte for the operating system in a gzip header, and the value of the byte for an unknown system.
 */
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
  // Avoids an unhandled rejection: `add` and `end` await `written` and report its error.
  written.catch(() => {});
  /**
   * Returns a row as a line with every column, even without a value, so that readers that guess types find all columns.
   */
  const line = (row: Row) => {
    const cells = row as Readonly<Record<string, unknown>>;
    return `${JSON.stringify(Object.fromEntries(names.map((name) => [name, cells[name] ?? null])))}\n`;
  };
  return {
    async add(rows: readonly Row[]): Promise<void> {
      // If the disk is full, the pipeline ends and there is no drain event.
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
