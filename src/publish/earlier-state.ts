// Reads the state that earlier versions stored in a target: a snapshot in parts, and a snapshot of each shard of a site.
import { hash } from 'node:crypto';
import { stop } from '#model/failure.ts';
import { type PublishLock, readLock } from './lock.ts';
import { LOCK_KEY, readOwn, STATE_FOLDER } from './own-objects.ts';
import { parseList } from './published-list.ts';
import type { KnownFile } from './published-record.ts';
import type { Target } from './target.ts';

/** Matches objects that only earlier versions use. */
const OBSOLETE = /^\.stxpress\/(?:shard-\d+-of-\d+\/.*|published(?:\.json|-[0-9a-f]{64}\.zst))$/;
const SHARD_SNAPSHOT = /^\.stxpress\/shard-\d+-of-\d+\/published\.json$/;
const SHARD_LOCK = /^\.stxpress\/shard-\d+-of-\d+\/publishing\.zst$/;

export interface EarlierState {
  readonly chainId: number | undefined;
  /** The published files, oldest first: a later entry replaces an earlier one. */
  readonly files: AsyncIterable<readonly KnownFile[]>;
}

interface Snapshot {
  readonly chainId: number | undefined;
  readonly parts: readonly string[];
}

/** Returns the keys of obsolete objects, which a publish removes at its end. */
export function obsoleteKeys(keys: readonly string[]): string[] {
  return keys.filter((key) => OBSOLETE.test(key));
}

/** Returns the lock of the whole storage, and locks of single shards, which only earlier versions take. */
export async function readLocks(target: Target, keys: readonly string[]): Promise<PublishLock[]> {
  const locks: PublishLock[] = [];
  for (const key of [LOCK_KEY, ...keys.filter((key) => SHARD_LOCK.test(key))]) {
    const lock = await readLock(target, key);
    if (lock !== undefined) locks.push(lock);
  }
  return locks;
}

/** Reads the state; undefined if no earlier version published to this storage. */
export async function readEarlierState(target: Target, keys: readonly string[]): Promise<EarlierState | undefined> {
  const site = await readSnapshot(target, `${STATE_FOLDER}published.json`);
  const shards: Snapshot[] = [];
  for (const key of keys.filter((key) => SHARD_SNAPSHOT.test(key))) {
    const shard = await readSnapshot(target, key);
    if (shard !== undefined) shards.push(shard);
  }
  if (site === undefined && shards.length === 0) return undefined;
  async function* files() {
    for (const part of site?.parts ?? []) yield* readPart(target, part);
    // A shard's snapshot may be older than the site's, so only the paths of the shard's snapshot are used.
    for (const part of shards.flatMap(({ parts }) => parts))
      for await (const page of readPart(target, part)) yield page.map(({ path }) => ({ path, sha256: undefined }));
  }
  return { chainId: (site ?? shards[0])?.chainId, files: files() };
}

function readSnapshot(target: Target, key: string): Promise<Snapshot | undefined> {
  return readOwn(target, key, (body) => {
    const { chainId, parts } = JSON.parse(body.toString()) as Partial<Snapshot>;
    return Array.isArray(parts) ? { chainId, parts } : undefined;
  });
}

async function* readPart(target: Target, key: string): AsyncGenerator<readonly KnownFile[]> {
  const body = await target.read(key);
  if (body === undefined || !key.endsWith(`-${hash('sha256', body, 'hex')}.zst`))
    throw stop(
      'publish-incomplete',
      `${key} in ${target.name} is missing or was changed. Another publisher may be running: publish again later. If ` +
        'that does not help, empty the storage.',
    );
  yield* parseList(target, key, body);
}
