// Keeps two publishers of one storage apart: an object says who is at work, and on which files. Where the storage knows
// conditions, of two that write it at once one is refused.
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Place } from './place.ts';
import type { TargetObject } from './target.ts';

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

export async function readLock(place: Place): Promise<PublishLock | undefined | Failure> {
  const { target, pace } = place;
  const key = lockKey(place);
  const body = await pace.run(() => target.read(key));
  if (body === undefined || isFailure(body)) return body;
  try {
    const [head = '', ...paths] = (await promisify(zstdDecompress)(body)).toString().trimEnd().split('\n');
    const { token, by, since } = JSON.parse(head) as Omit<PublishLock, 'paths'>;
    return { token, by, since, paths };
  } catch (error) {
    return fail('target-foreign', `${target.name} has a ${key} that stxpress did not write. Remove it.`, error);
  }
}

/** Takes it, or writes anew what this publisher holds. Undefined if that went well. */
export async function writeLock(
  place: Place,
  {
    token,
    paths,
    isHeld,
  }: { readonly token: string; readonly paths: AsyncIterable<readonly string[]>; readonly isHeld: boolean },
  reporter: Reporter,
): Promise<Failure | undefined> {
  const { target, pace } = place;
  const head = { token, by: `${hostname()}, process ${process.pid}`, since: new Date().toISOString() };
  const lines = [`${JSON.stringify(head)}\n`];
  for await (const some of paths) lines.push(...some.map((path) => `${path}\n`));
  const object: TargetObject = {
    key: lockKey(place),
    body: await promisify(zstdCompress)(lines.join('')),
    headers: { 'Content-Type': 'application/zstd', 'Cache-Control': 'no-store' },
  };
  if (isHeld) {
    const written = await pace.run(() => target.write(object));
    return isFailure(written) ? written : undefined;
  }
  // Finding out what to send took a while.
  const other = await readLock(place);
  if (isFailure(other)) return other;
  if (other !== undefined) return heldBy(place, other);
  const written = await pace.run(() => target.write(object, { onlyIfNew: true }));
  if (isFailure(written)) return written;
  // An answer may be lost, and the lock ours.
  if (written === 'written') {
    const again = await pace.run(() => target.write(object, { onlyIfNew: true }));
    if (isFailure(again)) return again;
    if (again === 'written') {
      reporter.info(
        `${target.name} does not know conditions: another publisher is looked out for, for ${SETTLE_MS / 1_000} s`,
      );
      await pace.pause(SETTLE_MS);
    }
  }
  return checkLock(place, token);
}

/** A failure if another publisher has the lock. */
export async function checkLock(place: Place, token: string): Promise<Failure | undefined> {
  const lock = await readLock(place);
  if (isFailure(lock)) return lock;
  return lock?.token === token ? undefined : heldBy(place, lock);
}

export function heldBy({ target }: Pick<Place, 'target'>, lock: PublishLock | undefined): Failure {
  const who = lock === undefined ? 'another publisher' : `${lock.by}, since ${lock.since}`;
  return fail(
    'locked',
    `${who} is publishing to ${target.name}. Run again when it is done; if it died on another machine, go on from ` +
      'where it was with --take-over.',
  );
}

export async function removeLock(place: Place): Promise<Failure | undefined> {
  const removed = await place.pace.run(() => place.target.remove(lockKey(place)));
  return isFailure(removed) ? removed : undefined;
}

export function lockKey({ folder }: Place): string {
  return `${folder}publishing.zst`;
}
