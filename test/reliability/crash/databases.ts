// Reads the rows of an index or a build record for comparison, except the rows about runs, and checks the integrity.
import Database from 'better-sqlite3';

/** Sorted rows as text, by table, and the result of `PRAGMA integrity_check`. */
type Dump = Readonly<Record<string, readonly string[]>>;

/** Tables with times of runs and random tokens, and internal tables of SQLite and kysely. */
const NOT_DUMPED = /^(run|history|kysely_.*|sqlite_.*)$/;
/** Rows and parts of rows that are random or contain times. */
const VARYING = /^\{"key":"(?:index_id|host_files|rebuilt_from)"/;
const VARYING_PART = /(?<=\\"indexId\\":\\")[\w-]+/;

/** Dumps a database. If `revisions` is false, leaves out revisions, which depend on the order of threads. */
export function dumpDatabase(file: string, revisions = true): Dump {
  const database = new Database(file);
  try {
    const names = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
    const tables = names.filter((name) => !NOT_DUMPED.test(name)).sort();
    const rows = Object.fromEntries(
      tables.map((name) => {
        const all = database.prepare(`select * from ${name}`).all();
        const rows = all.map((row) => JSON.stringify(row, bytesAsHex).replace(VARYING_PART, ''));
        const texts = rows.filter((text) => !VARYING.test(text));
        return [name, (revisions ? texts : texts.map(withoutRevision)).sort()];
      }),
    );
    return { ...rows, integrity: [String(database.pragma('integrity_check', { simple: true }))] };
  } finally {
    database.close();
  }
}

function withoutRevision(text: string): string {
  return text.replace(/"revision":\d+/, '"revision":0');
}

function bytesAsHex(this: unknown, key: string, value: unknown): unknown {
  const plain = (this as Record<string, unknown>)[key];
  return Buffer.isBuffer(plain) ? plain.toString('hex') : value;
}
