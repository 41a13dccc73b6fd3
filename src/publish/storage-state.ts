// What a storage says of itself: what was published there, as a whole and by shards since, and who is at work.
import type { Shard } from '#model/shard.ts';
import { type PublishLock, readLock } from './publish-lock.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { hasPublisher, STATE_FOLDER, shardFolders, stateFolder } from './state-keys.ts';
import type { Target } from './target.ts';

export interface StorageState {
  /** Of the whole site; undefined where none was published. */
  readonly snapshot: Snapshot | undefined;
  /** What shards have published since: all of them, or the own one alone. */
  readonly shards: readonly Snapshot[];
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
export async function readStorageState(target: Target, shard: Shard | undefined): Promise<StorageState> {
  const keys: string[] = [];
  for await (const some of target.list(STATE_FOLDER)) keys.push(...some);
  const folders = shardFolders(keys);
  const snapshot = await readSnapshot(target, STATE_FOLDER);
  const shards: Snapshot[] = [];
  for (const folder of shard === undefined ? folders : [stateFolder(shard)]) {
    const ofShard = await readSnapshot(target, folder);
    // One of before the last publish of the whole is in that.
    if (ofShard?.base === (snapshot?.generation ?? '')) shards.push(ofShard);
  }
  const others: PublishLock[] = [];
  for (const folder of shard === undefined ? folders : [STATE_FOLDER]) {
    const lock = await readLock(target, folder);
    if (lock !== undefined) others.push(lock);
  }
  return {
    snapshot,
    shards,
    others,
    generation: [snapshot, ...shards].flatMap((one) => one?.generation ?? []).join(' '),
    isNew: !hasPublisher(keys),
    keys,
  };
}
