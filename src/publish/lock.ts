// Keeps two publishers of one storage apart: an object says who is at work, and on which files. Where the storage knows
// conditions, of two that write it at once one is refused.
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type FailureError, stop } from '#model/failure.ts';
import { lockKey, readOwn, STATE_FOLDER, writeOwn } from './own-objects.ts';
import type { PublishOptions, Target } from './target.ts';

/** Two that find no lock at the same time have both written theirs by then. */
const RIVAL_WAIT_MS = 3_000;

export interface PublishLock {
  readonly token: string;
  /** The holder, and the time at which it took the lock. */
  readonly by: string;
  readonly since: string;
  /** Paths of files that may be neither as before nor as they will be. */
  readonly paths: readonly string[];
}

/** Throws FailureError, as all of these do. */
export function readLock(target: Target, folder = STATE_FOLDER): Promise<PublishLock | undefined> {
  return readOwn(target, lockKey(folder), async (body) => {
    const [head = '', ...paths] = (await promisify(zstdDecompress)(body)).toString().trimEnd().split('\n');
    return { ...(JSON.parse(head) as Omit<PublishLock, 'paths'>), paths };
  });
}

interface LockOptions extends Pick<PublishOptions, 'reporter' | 'signal' | 'haste'> {
  readonly token: string;
  readonly paths: Iterable<string>;
  /** True if this publisher holds it, and writes it anew. */
  readonly isHeld: boolean;
}

export async function writeLock(target: Target, options: LockOptions): Promise<void> {
  const { token, paths, isHeld, reporter, signal, haste = 1 } = options;
  const head = { token, by: `${hostname()}, process ${process.pid}`, since: new Date().toISOString() };
  const body = await promisify(zstdCompress)([JSON.stringify(head), ...paths, ''].join('\n'));
  const write = (onlyIfNew: boolean) => writeOwn(target, lockKey(), body, { onlyIfNew });
  if (isHeld) {
    await write(false);
    return;
  }
  // Finding out what to send took a while.
  const other = await readLock(target);
  if (other !== undefined) throw heldBy(target, other);
  // Where conditions are known, the second one is refused; of the first one, the answer may have been lost.
  if ((await write(true)) === 'written' && (await write(true)) === 'written') {
    reporter.info(
      `${target.name} does not support conditional writes; waiting ${RIVAL_WAIT_MS / 1_000} s to detect another publisher`,
    );
    await delay(RIVAL_WAIT_MS / haste, undefined, { signal }).catch(() => {});
  }
  await checkLock(target, token);
}

/** Throws FailureError `locked` if another publisher has the lock. */
export async function checkLock(target: Target, token: string): Promise<void> {
  const lock = await readLock(target);
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
