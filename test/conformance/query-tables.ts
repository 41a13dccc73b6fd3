// Queries the exported tables in a folder with DuckDB, as an analyst would.
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * Runs a query in a folder. Paths of files in the query are relative to the folder. Returns large integers as bigints,
 * and other integers as numbers.
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
