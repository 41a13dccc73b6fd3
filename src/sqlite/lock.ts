// A lock that the kernel releases when its holder dies: a side SQLite file, held in a write transaction.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { isDiskFull } from '#files/disk-errors.ts';
import { stop } from '#model/failure.ts';
import { explainSqliteError, isBusy } from './sqlite-errors.ts';

/** Free when it is disposed of. Throws FailureError `locked`, which names its holder. `what`: `an index run`. */
export function takeLock(path: string, what: string): Disposable {
  const holderPath = `${path}.holder`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = new Database(path, { timeout: 0 });
    try {
      // Writes nothing, so that the lock works on a full disk.
      file.pragma('journal_mode = memory');
      // Not `exclusive`: SQLite takes that lock in steps, so two processes that try at once would both give up.
      file.exec('begin immediate');
    } catch (error) {
      file.close();
      throw error;
    }
    noteHolder(holderPath, what);
    return { [Symbol.dispose]: () => void file.close() };
  } catch (error) {
    if (isBusy(error)) {
      const holder = readHolder(holderPath) ?? `${what} (its process is unknown)`;
      throw stop('locked', `Another run of stxpress is ${holder}. Run again when it is done.`, error);
    }
    throw explainSqliteError(error, path, {
      what: 'lock',
      remedy: () => 'delete it',
      whenFull: 'Make room and run again.',
    });
  }
}

/** Stores the holder, for the message only: the lock works without it on a full disk. */
function noteHolder(path: string, what: string): void {
  try {
    writeFileSync(path, `${what} (process ${process.pid}, since ${new Date().toISOString()})`);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8') || undefined;
  } catch {
    return undefined;
  }
}
