// Reads what an index or a build record says, for comparison: whether it is whole, and every row but those of the runs
// themselves.
import Database from 'better-sqlite3';

/** Rows as text, sorted, by table, and what `PRAGMA integrity_check` says. */
type Dump = Readonly<Record<string, readonly string[]>>;

/** When commands were run, their random tokens, and what SQLite and kysely note for themselves. */
const NOT_DUMPED = /^(run|history|kysely_.*|sqlite_.*)$/;
/** Drawn anew for each index, and when files were written. */
const OWN = /^\{"key":"(?:index_id|host_files|rebuilt_from)"/;
const OWN_PART = /(?<=\\"indexId\\":\\")[\w-]+/;

/** `revisions`: whether the dump has them; where threads are at work they depend on who is first. */
export function dumpDatabase(file: string, revisions = true): Dump {
  const database = new Database(file);
  try {
    const names = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
    const tables = names.filter((name) => !NOT_DUMPED.test(name)).sort();
    const rows = Object.fromEntries(
      tables.map((name) => {
        const all = database.prepare(`select * from ${name}`).all();
        const own = all.map((row) => JSON.stringify(row, bytesAsHex).replace(OWN_PART, ''));
        const texts = own.filter((text) => !OWN.test(text));
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
