// What a storage says of itself: what was published there, as a whole and by shards since, and who is at work.
import { type Failure, FailureError, isFailure } from '#model/failure.ts';
import type { Shard } from '#model/shard.ts';
import type { Pace } from './pace.ts';
import { type Place, placeOf, STATE_FOLDER, shardPlaces } from './place.ts';
import { type PublishLock, readLock } from './publish-lock.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import type { Target } from './target.ts';

export interface StorageState {
  /** Of the whole site; undefined where none was published. */
  readonly snapshot: Snapshot | undefined;
  /** What shards have published since: all of them, or the own one alone. */
  readonly shards: readonly { readonly place: Place; readonly snapshot: Snapshot }[];
  /** Who must not be at work beside this publisher: of a shard, that of the whole site, and the other way round. */
  readonly others: readonly PublishLock[];
  /** Names what all the snapshots say; empty where there is none. */
  readonly generation: string;
  /** Whether no publisher was ever there. */
  readonly isNew: boolean;
  /** Of all that publishers keep there. */
  readonly keys: readonly string[];
}

/** `shard`: of the publisher; undefined for the whole site. Throws FailureError. */
export async function readStorageState(target: Target, pace: Pace, shard: Shard | undefined): Promise<StorageState> {
  const keys: string[] = [];
  for await (const some of target.list({ prefix: STATE_FOLDER })) keys.push(...some.map(({ key }) => key));
  const site = placeOf(target, pace);
  const own = shard && placeOf(target, pace, shard);
  const ofShards = shardPlaces(target, pace, keys);
  const snapshot = must(await readSnapshot(site));
  const shards: { place: Place; snapshot: Snapshot }[] = [];
  for (const place of own === undefined ? ofShards : [own]) {
    const ofShard = must(await readSnapshot(place));
    // One of before the last publish of the whole is in that.
    if (ofShard !== undefined && ofShard.base === (snapshot?.generation ?? ''))
      shards.push({ place, snapshot: ofShard });
  }
  const others: PublishLock[] = [];
  for (const place of own === undefined ? ofShards : [site]) {
    const lock = must(await readLock(place));
    if (lock !== undefined) others.push(lock);
  }
  return {
    snapshot,
    shards,
    others,
    generation: [snapshot?.generation ?? [], ...shards.map((one) => one.snapshot.generation)].flat().join(' '),
    isNew: keys.length === 0 && snapshot === undefined,
    keys,
  };
}

/** Throws FailureError for a failure. */
export function must<Result>(result: Result | Failure): Result {
  if (isFailure(result)) throw new FailureError(result);
  return result;
}
