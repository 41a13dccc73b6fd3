// Queries the tables in a folder with DuckDB, like an analyst.
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * Runs a query, which may contain paths of files below the folder. Returns integers as numbers, and large ones as
 * bigints.
 */
export async function queryTables(folder: string, query: string): Promise<Record<string, unknown>[]> {
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
