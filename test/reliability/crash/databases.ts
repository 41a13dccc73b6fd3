// Reads the rows of an index or a build record so that tests can compare them, and checks the integrity of the file.
// Omits rows about runs.
import Database from 'better-sqlite3';

/** The rows of each table as sorted text, and the result of `PRAGMA integrity_check`. */
type Dump = Readonly<Record<string, readonly string[]>>;

/**
 * The tables that are not dumped: tables with random tokens or the times of runs, and internal tables of SQLite and
 * kysely.
 */
const NOT_DUMPED = /^(run|history|kysely_.*|sqlite_.*)$/;
/** Rows, as JSON text, whose values are random or times, and therefore differ between runs. */
const VARYING = /^\{"key":"(?:index_id|host_files|old_index)"/;
const VARYING_PART = /(?<=\\"indexId\\":\\")[\w-]+/;

/** Dumps the rows of a database. */
export function dumpDatabase(file: string): Dump {
  const database = new Database(file);
  try {
    const names = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
    const tables = names.filter((name) => !NOT_DUMPED.test(name)).sort();
    const rows = Object.fromEntries(
      tables.map((name) => {
        const all = database.prepare(`select * from ${name}`).all();
        const rows = all.map((row) => JSON.stringify(row, bytesAsHex).replace(VARYING_PART, ''));
        return [name, rows.filter((text) => !VARYING.test(text)).sort()];
      }),
    );
    return { ...rows, integrity: [String(database.pragma('integrity_check', { simple: true }))] };
  } finally {
    database.close();
  }
}

function bytesAsHex(this: unknown, key: string, value: unknown): unknown {
  const plain = (this as Record<string, unknown>)[key];
  return Buffer.isBuffer(plain) ? plain.toString('hex') : value;
}
