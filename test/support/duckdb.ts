// Asks DuckDB about the tables in a folder, as one who counts would.
import { DuckDBInstance } from '@duckdb/node-api';

/** `query` may name files below the folder by their paths. Whole numbers come as numbers, or as bigints if large. */
export async function askTables(folder: string, query: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run(`set file_search_path = '${folder.replaceAll("'", "''")}'`);
    const rows = (await connection.runAndReadAll(query)).getRowObjectsJS();
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toNumber(cell)])));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function toNumber(cell: unknown): unknown {
  return typeof cell === 'bigint' && BigInt(Number(cell)) === cell ? Number(cell) : cell;
}
