// Writes rows of a table as lines of JSON, compressed with gzip.
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { FileSink, type WrittenFile } from '#files/file-sink.ts';
import { columnsOf, type Row, type TableName } from './tables.ts';

/** In the header, the byte that says which system wrote it, and its value for an unknown one. */
const [SYSTEM_AT, UNKNOWN_SYSTEM] = [9, 255];

/** Characters that are compressed at once: each call has its price. */
const PIECE = 100_000;

export class NdjsonFile {
  readonly #names: readonly string[];
  readonly #sink: FileSink;
  readonly #gzip = createGzip();
  readonly #written: Promise<void>;
  #text = '';

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
    for (const row of rows) {
      this.#text += `${this.#line(row)}\n`;
      if (this.#text.length >= PIECE) await this.#compress();
    }
  }

  async end(): Promise<WrittenFile> {
    this.#gzip.end(this.#text);
    await this.#written;
    return this.#sink.end();
  }

  close(): void {
    this.#gzip.destroy();
    this.#sink.close();
  }

  async #compress(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    const taken = new Promise<void>((resolve) => this.#gzip.write(text, () => resolve()));
    // A disk that is full ends the pipeline, and nothing is taken any more.
    await Promise.race([taken, this.#written]);
  }

  /** Every column, in order, so that readers that guess its type see it. */
  #line(row: Row): string {
    const cells = row as Readonly<Record<string, unknown>>;
    return JSON.stringify(Object.fromEntries(this.#names.map((name) => [name, cells[name] ?? null])));
  }
}
