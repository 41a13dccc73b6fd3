// Writes rows of a table as Parquet, one row group at a time. hyparquet-writer is JavaScript without dependencies and
// writes the same bytes on every machine.
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { openFileSink, type WrittenFile } from '#files/file-sink.ts';
import { columnsOf, type Row, type TableName } from './tables.ts';

/** The maximum memory of the rows of a row group, in bytes. A single row may be larger. */
const GROUP_BYTES = 4_000_000;
const BYTES_PER_CELL = 16;
const TYPES = { text: 'STRING', number: 'INT64', flag: 'BOOLEAN' } as const;

export function openParquetFile(path: string, table: TableName) {
  const columns = columnsOf(table);
  const sink = openFileSink(path);
  const bytes = new ByteWriter();
  const columnData = columns.map(([name, type]) => ({ name, data: [], type: TYPES[type], nullable: true }));
  const schema = schemaFromColumnData({ columnData });
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'stxpress' });
  let [rows, held]: [Row[], number] = [[], 0];
  return {
    close: sink.close,
    async add(more: readonly Row[]): Promise<void> {
      for (const row of more) {
        const weight = weightOf(row);
        if (held + weight > GROUP_BYTES) await writeGroup();
        rows.push(row);
        held += weight;
      }
    },
    async end(): Promise<WrittenFile> {
      await writeGroup();
      await writer.finish();
      flush();
      return sink.end();
    },
  };

  async function writeGroup(): Promise<void> {
    const cells = rows as Readonly<Record<string, string | number | boolean | undefined>>[];
    if (cells.length === 0) return;
    const columnData = columns.map(([name]) => {
      const data = cells.map(({ [name]: cell = null }) => (typeof cell === 'number' ? BigInt(cell) : cell));
      return { name, data };
    });
    await writer.write({ columnData, rowGroupSize: cells.length });
    [rows, held] = [[], 0];
    flush();
  }

  function flush(): void {
    sink.write(bytes.getBytes());
    bytes.index = 0;
  }
}

function weightOf(row: Row): number {
  return Object.values(row).reduce<number>(
    (sum, cell) => sum + BYTES_PER_CELL + (typeof cell === 'string' ? cell.length : 0),
    0,
  );
}
