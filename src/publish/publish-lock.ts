// Keeps two publishers of one storage apart: an object says who is at work, and on which files. Where the storage knows
// conditions, of two that write it at once one is refused.
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type FailureError, stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { stateHeaders } from './snapshot.ts';
import { lockKey } from './state-keys.ts';
import type { Target, TargetObject } from './target.ts';

/** Two that find no lock at the same time have both written theirs by then. */
const SETTLE_MS = 3_000;

export interface PublishLock {
  readonly token: string;
  /** Who took it, and when. */
  readonly by: string;
  readonly since: string;
  /** What may be neither as before nor as it will be. */
  readonly paths: readonly string[];
}

/** Throws FailureError, as all of these do. */
export async function readLock(target: Target, folder: string): Promise<PublishLock | undefined> {
  const key = lockKey(folder);
  const body = await target.read(key);
  if (body === undefined) return undefined;
  try {
    const [head = '', ...paths] = (await promisify(zstdDecompress)(body)).toString().trimEnd().split('\n');
    const { token, by, since } = JSON.parse(head) as Omit<PublishLock, 'paths'>;
    return { token, by, since, paths };
  } catch (error) {
    throw stop('target-foreign', `${target.name} has a ${key} that stxpress did not write. Remove it.`, error);
  }
}

export interface LockOptions {
  readonly token: string;
  readonly paths: Iterable<string>;
  /** Whether this publisher holds it, and writes it anew. */
  readonly isHeld: boolean;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  readonly haste?: number | undefined;
}

export async function writeLock(target: Target, folder: string, options: LockOptions): Promise<void> {
  const { token, paths, isHeld, reporter, signal, haste = 1 } = options;
  const head = { token, by: `${hostname()}, process ${process.pid}`, since: new Date().toISOString() };
  const object: TargetObject = {
    key: lockKey(folder),
    body: await promisify(zstdCompress)([JSON.stringify(head), ...paths, ''].join('\n')),
    headers: stateHeaders('application/zstd'),
  };
  if (isHeld) {
    await target.write(object);
    return;
  }
  // Finding out what to send took a while.
  const other = await readLock(target, folder);
  if (other !== undefined) throw heldBy(target, other);
  // Where conditions are known, the second one is refused; of the first one, the answer may have been lost.
  if ((await target.write(object, { onlyIfNew: true })) === 'written')
    if ((await target.write(object, { onlyIfNew: true })) === 'written') {
      reporter.info(
        `${target.name} does not support conditional writes; waiting to detect another publisher for ${SETTLE_MS / 1_000} s`,
      );
      await delay(SETTLE_MS / haste, undefined, { signal }).catch(() => {});
    }
  await checkLock(target, folder, token);
}

/** Throws FailureError `locked` if another publisher has the lock. */
export async function checkLock(target: Target, folder: string, token: string): Promise<void> {
  const lock = await readLock(target, folder);
  if (lock?.token !== token) throw heldBy(target, lock);
}

export function heldBy(target: Target, lock: PublishLock | undefined): FailureError {
  const who = lock === undefined ? 'another publisher' : `${lock.by}, since ${lock.since}`;
  return stop(
    'locked',
    `${who} is publishing to ${target.name}. Run again when it is done; if it died on another machine, go on from ` +
      'where it was with --take-over.',
  );
}
