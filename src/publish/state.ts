// Reads and writes the state of a storage: what was published, as a whole and by shards since, and who is at work.
import { stop } from '#model/failure.ts';
import type { Shard } from '#model/shard.ts';
import type { BuildOrigin } from '#press/record/build-record.ts';
import { writeValues } from '#sqlite/info.ts';
import { checkLock, type PublishLock, readLock } from './lock.ts';
import {
  hasPublisher,
  isOwnKey,
  lockKey,
  STATE_FOLDER,
  shardFolders,
  snapshotKey,
  stateFolder,
} from './own-objects.ts';
import { countKnown, type Published, readKnown, readKnownAmong } from './published.ts';
import { readSnapshot, type Snapshot, writeParts, writeSnapshot } from './snapshot.ts';
import type { Target } from './target.ts';

/** A snapshot grows by a part while it has fewer, of no more than so much of the files; else it is written anew. */
const MOST_PARTS = 128;
const MOST_OF_FILES = 1 / 64;

export interface StorageState {
  /** Snapshot of the whole site; undefined if none was published. */
  readonly snapshot: Snapshot | undefined;
  /** Snapshots that shards have published since: of all of them, or only of the own one. */
  readonly shards: readonly Snapshot[];
  /** Locks that exclude this publisher: for a shard that of the whole site, for the whole site those of shards. */
  readonly others: readonly PublishLock[];
  /** Names what all the snapshots say; empty where there is none. */
  readonly generation: string;
  /** True if no publisher was ever there. */
  readonly isNew: boolean;
  /** Keys of all objects that publishers keep there. */
  readonly keys: readonly string[];
}

/** `shard`: of the publisher; undefined for the whole site. Throws FailureError. */
export async function readState(target: Target, shard: Shard | undefined): Promise<StorageState> {
  const keys = (await Array.fromAsync(target.list(STATE_FOLDER))).flat();
  const folders = shardFolders(keys);
  const snapshot = await readSnapshot(target, STATE_FOLDER);
  const shards: Snapshot[] = [];
  for (const folder of shard === undefined ? folders : [stateFolder(shard)]) {
    const ofShard = await readSnapshot(target, folder);
    // One of before the last publish of the whole is in that.
    if (ofShard?.base === (snapshot?.generation ?? '')) shards.push(ofShard);
  }
  if (shard !== undefined) await checkCount(target, shard, { folders, base: snapshot?.generation ?? '' });
  const others: PublishLock[] = [];
  for (const folder of shard === undefined ? folders : [STATE_FOLDER])
    others.push(...[(await readLock(target, folder)) ?? []].flat());
  const generation = [snapshot, ...shards].flatMap((one) => one?.generation ?? []).join(' ');
  // Some storages list what was written only after a while.
  return { snapshot, shards, others, generation, isNew: generation === '' && !hasPublisher(keys), keys };
}

/** With shards of several counts, nobody knows which one published a file last. */
async function checkCount(
  target: Target,
  shard: Shard,
  { folders, base }: { readonly folders: readonly string[]; readonly base: string },
): Promise<void> {
  for (const folder of folders.filter((one) => !one.endsWith(`-of-${shard.of}/`)))
    if ((await readSnapshot(target, folder))?.base === base)
      throw stop(
        'target-foreign',
        `${target.name} has files of other shards (${folder}) than those of ${shard.of}. Publish the site that was ` +
          'merged of those first; or publish these to another prefix.',
      );
}

interface DonePublish {
  readonly origin: BuildOrigin | undefined;
  readonly token: string;
  /** As it was when the lock was taken. */
  readonly state: StorageState;
  readonly paths: ReadonlySet<string>;
}

/** Says in the storage that all is there as it was to be: the snapshot has what was changed, and the lock goes. */
export async function writeState(
  target: Target,
  published: Published,
  { origin, token, state, paths }: DonePublish,
): Promise<void> {
  const folder = stateFolder(origin?.shard);
  // Somebody may have taken it over, since this took too long.
  await checkLock(target, folder, token);
  const isOfSite = origin?.shard === undefined;
  const ofSite = state.snapshot?.parts ?? [];
  const before = [...(isOfSite ? ofSite : []), ...state.shards.flatMap(({ parts }) => parts)];
  // The next publish of the whole site takes in what a shard adds to it.
  const isSmall = !isOfSite || paths.size <= (await countKnown(published)) * MOST_OF_FILES;
  const isToAdd = isSmall && before.length < MOST_PARTS && (state.snapshot !== undefined || before.length > 0);
  const files = isToAdd ? readKnownAmong(published, [...paths]) : readKnown(published);
  const parts = [...(isToAdd ? before : []), ...(await writeParts(target, folder, files))];
  const base = isOfSite ? '' : (state.snapshot?.generation ?? '');
  const written = await writeSnapshot(target, folder, { chainId: origin?.chainId, base, parts });
  await writeValues(published, { generation: `${base} ${written}`.trim() });
  // Removes objects that nothing names any more; the snapshot of the site replaces those of shards, too.
  const kept = new Set([...parts, ...(isOfSite ? [] : ofSite), snapshotKey(folder), lockKey(folder)]);
  for (const key of state.keys) if (key.startsWith(folder) && isOwnKey(key) && !kept.has(key)) await target.remove(key);
  await target.remove(lockKey(folder));
  await writeValues(published, { token: undefined });
}
