// Writes rows of a table as Parquet, a row group at a time. hyparquet-writer is plain JavaScript, writes the same bytes
// on every machine, and is all that the format needs.
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { FileSink, type WrittenFile } from '#files/file-sink.ts';
import { HELD_BYTES } from '#routes/subject.ts';
import { columnsOf, type Row, type TableName } from './tables.ts';

const BYTES_PER_CELL = 16;
const TYPES = { text: 'STRING', number: 'INT64', flag: 'BOOLEAN' } as const;

export class ParquetFile {
  readonly #columns: ReturnType<typeof columnsOf>;
  readonly #sink: FileSink;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows: Row[] = [];
  #held = 0;

  constructor(path: string, table: TableName) {
    this.#columns = columnsOf(table);
    this.#sink = new FileSink(path);
    const columnData = this.#columns.map(([name, type]) => ({ name, data: [], type: TYPES[type], nullable: true }));
    const schema = schemaFromColumnData({ columnData });
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema, createdBy: 'stxpress' });
  }

  async add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      const weight = weightOf(row);
      if (this.#held + weight > HELD_BYTES) await this.#writeGroup();
      this.#rows.push(row);
      this.#held += weight;
    }
  }

  async end(): Promise<WrittenFile> {
    await this.#writeGroup();
    await this.#writer.finish();
    this.#flush();
    return this.#sink.end();
  }

  close(): void {
    this.#sink.close();
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows as Readonly<Record<string, string | number | boolean | undefined>>[];
    if (rows.length === 0) return;
    const columnData = this.#columns.map(([name]) => {
      const data = rows.map(({ [name]: cell = null }) => (typeof cell === 'number' ? BigInt(cell) : cell));
      return { name, data };
    });
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
    this.#rows = [];
    this.#held = 0;
    this.#flush();
  }

  #flush(): void {
    this.#sink.write(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}

function weightOf(row: Row): number {
  return Object.values(row).reduce<number>(
    (sum, cell) => sum + BYTES_PER_CELL + (typeof cell === 'string' ? cell.length : 0),
    0,
  );
}
