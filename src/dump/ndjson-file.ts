// Writes rows of a table as lines of JSON, compressed with gzip.
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { FileSink, type WrittenFile } from '#files/file-sink.ts';
import { columnsOf, type Row, type TableName } from './tables.ts';

/** In the header, the byte that says which system wrote it, and its value for an unknown one. */
const [SYSTEM_AT, UNKNOWN_SYSTEM] = [9, 255];

export class NdjsonFile {
  readonly #names: readonly string[];
  readonly #sink: FileSink;
  readonly #gzip = createGzip();
  readonly #written: Promise<void>;

  constructor(path: string, table: TableName) {
    this.#names = columnsOf(table).map(([name]) => name);
    this.#sink = new FileSink(path);
    this.#written = pipeline(this.#gzip, async (chunks: AsyncIterable<Buffer>) => {
      let isFirst = true;
      for await (const chunk of chunks) {
        if (isFirst) chunk[SYSTEM_AT] = UNKNOWN_SYSTEM;
        isFirst = false;
        this.#sink.write(chunk);
      }
    });
    // It is awaited with what is written next.
    this.#written.catch(() => {});
  }

  async add(rows: readonly Row[]): Promise<void> {
    const text = rows.map((row) => `${this.#line(row)}\n`).join('');
    // A disk that is full ends the pipeline, and nothing is taken any more.
    if (!this.#gzip.write(text)) await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  async end(): Promise<WrittenFile> {
    this.#gzip.end();
    await this.#written;
    return this.#sink.end();
  }

  close(): void {
    this.#gzip.destroy();
    this.#sink.close();
  }

  /** Every column, in order, so that readers that guess its type see it. */
  #line(row: Row): string {
    const cells = row as Readonly<Record<string, unknown>>;
    return JSON.stringify(Object.fromEntries(this.#names.map((name) => [name, cells[name] ?? null])));
  }
}
