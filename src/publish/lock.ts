// Locks a target for one publisher at a time, with an object that names the publisher. If the storage supports
// conditional writes, it rejects one of two publishers that write the lock at the same time.
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type FailureError, stop } from '#model/failure.ts';
import { LOCK_KEY, readOwn, writeOwn } from './own-objects.ts';
import type { PublishOptions, Target } from './target.ts';

/** The wait after writing a lock. A rival that also found no lock has written its lock by then. */
const RIVAL_WAIT_MS = 3_000;

export interface PublishLock {
  /** Identifies the publisher with the lock, and becomes the generation of the site that it publishes. */
  readonly token: string;
  /** The machine and the process of that publisher. */
  readonly by: string;
  /** The time at which the publisher took the lock. */
  readonly since: string;
}

/** Returns the lock; undefined if the target is not locked. All functions of this file throw FailureError. */
export function readLock(target: Target): Promise<PublishLock | undefined> {
  return readOwn(target, LOCK_KEY, async (body) => {
    const head = (await promisify(zstdDecompress)(body)).toString();
    const { token, by, since } = JSON.parse(head) as Record<string, unknown>;
    const isComplete = typeof token === 'string' && typeof by === 'string' && typeof since === 'string';
    return isComplete ? { token, by, since } : undefined;
  });
}

interface LockOptions extends Pick<PublishOptions, 'reporter' | 'signal' | 'speedUp'> {
  readonly token: string;
  /** True if the target has a lock that this publisher continues or takes over. */
  readonly isHeld: boolean;
}

/** Takes the lock. Throws FailureError `locked` if another publisher has it. */
export async function writeLock(target: Target, options: LockOptions): Promise<void> {
  const { token, isHeld, reporter, signal, speedUp = 1 } = options;
  const head = { token, by: `${hostname()}, process ${process.pid}`, since: new Date().toISOString() };
  const body = await promisify(zstdCompress)(`${JSON.stringify(head)}\n`);
  const write = (onlyIfNew: boolean) => writeOwn(target, LOCK_KEY, body, { onlyIfNew });
  if (isHeld) {
    await write(false);
    return;
  }
  // Another publisher may have taken the lock while this one planned its changes.
  const other = await readLock(target);
  if (other !== undefined) throw lockFailure(target, other);
  // If both writes succeed, the storage ignores the condition that the object must be new.
  if ((await write(true)) === 'written' && (await write(true)) === 'written') {
    reporter.info(
      `${target.name} does not support conditional writes; waiting ${RIVAL_WAIT_MS / 1_000} s to detect another publisher`,
    );
    await delay(RIVAL_WAIT_MS / speedUp, undefined, { signal }).catch(() => {});
  }
  await checkLock(target, token);
}

/** Throws FailureError `locked` if another publisher has the lock. */
export async function checkLock(target: Target, token: string): Promise<void> {
  const lock = await readLock(target);
  if (lock?.token !== token) throw lockFailure(target, lock);
}

/** Returns the error `locked` for a lock of another publisher. */
export function lockFailure(target: Target, lock: PublishLock | undefined): FailureError {
  const who = lock === undefined ? 'another publisher' : `${lock.by}, since ${lock.since}`;
  return stop(
    'locked',
    `${who} is publishing to ${target.name}. Run again when it has finished. If it was interrupted on another ` +
      'machine, continue its publish with --take-over.',
  );
}
