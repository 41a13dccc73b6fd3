// Reads what an index or a build record says, for comparison: whether it is whole, and every row but those of the runs
// themselves.
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Rows as text, sorted, by table. */
type Dump = Readonly<Record<string, readonly string[]>>;

/** When commands were run, their random tokens, and what SQLite and kysely note for themselves. */
const NOT_DUMPED = /^(run|history|kysely_.*|sqlite_.*)$/;
/** Drawn anew for each index, and when files were written. */
const OWN = /^\{"key":"(?:index_id|host_files)"/;
const OWN_PART = /(?<=\\"indexId\\":\\")[\w-]+/;

/** What `PRAGMA integrity_check` says of a file; `ok` for one that is not there. */
export function checkIntegrity(file: string): string {
  if (!existsSync(file)) return 'ok';
  const database = new Database(file);
  try {
    return String(database.pragma('integrity_check', { simple: true }));
  } finally {
    database.close();
  }
}

/** `revisions`: whether the dump has them; where threads are at work they depend on who is first. */
export function dumpDatabase(file: string, revisions = true): Dump {
  const database = new Database(file);
  try {
    const names = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
    const tables = names.filter((name) => !NOT_DUMPED.test(name)).sort();
    return Object.fromEntries(
      tables.map((name) => {
        const rows = database.prepare(`select * from ${name}`).all();
        const all = rows.map((row) => JSON.stringify(row, bytesAsHex).replace(OWN_PART, ''));
        const texts = all.filter((text) => !OWN.test(text));
        return [name, (revisions ? texts : texts.map(withoutRevision)).sort()];
      }),
    );
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
