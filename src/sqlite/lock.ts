// Takes locks that the kernel releases when the holder dies. A lock is an open write transaction in a separate SQLite
// file.
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { isDiskFull } from '#files/disk-errors.ts';
import { createFolder } from '#files/folders.ts';
import { MAX_WRITTEN_BYTES, readRegular } from '#files/open-regular.ts';
import { stop } from '#model/failure.ts';
import { explainSqliteError, isBusy } from './sqlite-errors.ts';

/**
 * Takes a lock until it is disposed. Throws FailureError `locked`, which names the holder. `what` is the holder's
 * activity, such as `indexing into index.sqlite`.
 */
export function takeLock(path: string, what: string): Disposable {
  const holderPath = `${path}.holder`;
  try {
    createFolder(dirname(path));
    const file = new Database(path, { timeout: 0 });
    try {
      // This mode does not write to the disk, so the lock works even if the disk is full.
      file.pragma('journal_mode = memory');
      // SQLite takes an `exclusive` lock in several steps, so two processes that try at the same time would both fail.
      file.exec('begin immediate');
      writeHolder(holderPath, what);
    } catch (error) {
      file.close();
      throw error;
    }
    return { [Symbol.dispose]: () => void file.close() };
  } catch (error) {
    if (isBusy(error)) {
      const holder = readHolder(holderPath) ?? `${what} (its process is unknown)`;
      throw stop('locked', `Another run of stxpress is ${holder}. Run again when it is done.`, error);
    }
    throw explainSqliteError(error, path, {
      what: 'lock',
      remedy: () => 'delete it.',
      whenFull: 'Make room and run again.',
    });
  }
}

/** Stores the holder in a file, for the message of `locked`. On a full disk, the lock works without this file. */
function writeHolder(path: string, what: string): void {
  try {
    writeFileSync(path, `${what} (process ${process.pid}, since ${new Date().toISOString()})`);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readRegular(path, MAX_WRITTEN_BYTES).toString() || undefined;
  } catch {
    return undefined;
  }
}
