// Reads and writes the state of a storage: what was published, and who is at work.
import { writeValues } from '#sqlite/info.ts';
import { checkLock, type PublishLock, readLock } from './lock.ts';
import { hasPublisher, isOwnKey, lockKey, STATE_FOLDER, shardFolders, snapshotKey } from './own-objects.ts';
import { countKnown, type Published, readKnown, readKnownAmong } from './published.ts';
import { readSnapshot, type Snapshot, writeParts, writeSnapshot } from './snapshot.ts';
import type { Target } from './target.ts';

/** A snapshot grows by a part while it has fewer, of no more than so much of the files; else it is written anew. */
const MOST_PARTS = 128;
const MOST_OF_FILES = 1 / 64;

export interface StorageState {
  /** Snapshot of the whole site; undefined if none was published. */
  readonly snapshot: Snapshot | undefined;
  /** Snapshots of shards, which earlier versions published after that of the whole site. */
  readonly shards: readonly Snapshot[];
  /** Locks of publishers of shards. */
  readonly shardLocks: readonly PublishLock[];
  /** Names what all the snapshots say; empty where there is none. */
  readonly generation: string;
  /** True if no publisher was ever there. */
  readonly isNew: boolean;
  /** Keys of all objects that publishers keep there. */
  readonly keys: readonly string[];
}

/** Throws FailureError. */
export async function readState(target: Target): Promise<StorageState> {
  const keys = (await Array.fromAsync(target.list(STATE_FOLDER))).flat();
  const snapshot = await readSnapshot(target);
  const shards: Snapshot[] = [];
  const shardLocks: PublishLock[] = [];
  for (const folder of shardFolders(keys)) {
    const shard = await readSnapshot(target, folder);
    // If the whole site was published later, its snapshot includes the shard.
    if (shard?.base === (snapshot?.generation ?? '')) shards.push(shard);
    const lock = await readLock(target, folder);
    if (lock !== undefined) shardLocks.push(lock);
  }
  const generation = [snapshot, ...shards].flatMap((one) => one?.generation ?? []).join(' ');
  // Some storages list what was written only after a while.
  return { snapshot, shards, shardLocks, generation, isNew: generation === '' && !hasPublisher(keys), keys };
}

interface DonePublish {
  readonly chainId: number | undefined;
  readonly token: string;
  /** As it was when the lock was taken. */
  readonly state: StorageState;
  readonly paths: ReadonlySet<string>;
}

/** Says in the storage that all is there as it was to be: the snapshot has what was changed, and the lock goes. */
export async function writeState(
  target: Target,
  published: Published,
  { chainId, token, state, paths }: DonePublish,
): Promise<void> {
  // Somebody may have taken it over, since this took too long.
  await checkLock(target, token);
  const before = state.snapshot?.parts ?? [];
  const isSmall = paths.size <= (await countKnown(published)) * MOST_OF_FILES;
  const isToAdd = isSmall && before.length > 0 && before.length < MOST_PARTS && state.shards.length === 0;
  const files = isToAdd ? readKnownAmong(published, [...paths]) : readKnown(published);
  const parts = [...(isToAdd ? before : []), ...(await writeParts(target, files))];
  await writeValues(published, { generation: await writeSnapshot(target, { chainId, parts }) });
  // Removes objects that nothing names any more, those of shards too.
  const kept = new Set([...parts, snapshotKey(), lockKey()]);
  for (const key of state.keys) if (isOwnKey(key) && !kept.has(key)) await target.remove(key);
  await target.remove(lockKey());
  await writeValues(published, { token: undefined });
}
