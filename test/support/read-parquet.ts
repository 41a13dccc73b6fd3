// Reads Parquet files of a dump. The conformance suite reads them with DuckDB too.
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';

/** Returns the rows of a file, with numbers for integers. */
export async function readParquet(path: string): Promise<Record<string, unknown>[]> {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
  const toNumber = (cell: unknown) => (typeof cell === 'bigint' ? Number(cell) : cell);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toNumber(cell)])));
}

/** Returns the names of a file's columns, and the uncompressed bytes of each row group. */
export async function readParquetShape(path: string): Promise<{ columns: string[]; groupBytes: number[] }> {
  const { schema, row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  return {
    columns: schema.slice(1).map(({ name }) => name),
    groupBytes: row_groups.map(({ columns }) =>
      columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size), 0),
    ),
  };
}
