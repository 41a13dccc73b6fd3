// Ends a publish after which all is there as it was to be: what it changed comes into the snapshot, and its lock goes.
import type { BuildOrigin } from '#press/record/build-record.ts';
import { checkLock } from './publish-lock.ts';
import { countKnown, type Published, readKnown, readKnownAmong, writePublishedInfo } from './published.ts';
import { writeParts, writeSnapshot } from './snapshot.ts';
import { isOwnKey, lockKey, snapshotKey, stateFolder } from './state-keys.ts';
import type { StorageState } from './storage-state.ts';
import type { Target } from './target.ts';

/** A snapshot grows by a part while it has fewer, and the part no more than so much of the files; else it is written anew. */
const MOST_PARTS = 128;
const MOST_OF_FILES = 1 / 64;

export interface FinishOptions {
  readonly target: Target;
  readonly origin: BuildOrigin | undefined;
  /** Of the lock. */
  readonly token: string;
  /** As it was when the lock was taken. */
  readonly state: StorageState;
  /** What was changed. */
  readonly paths: ReadonlySet<string>;
}

export async function finishPublishing(published: Published, options: FinishOptions): Promise<void> {
  const { target, origin, token, state, paths } = options;
  const folder = stateFolder(origin?.shard);
  // Somebody may have taken it over, since this took too long.
  await checkLock(target, folder, token);
  const isOfSite = origin?.shard === undefined;
  const ofSite = state.snapshot?.parts ?? [];
  const before = [...(isOfSite ? ofSite : []), ...state.shards.flatMap(({ parts }) => parts)];
  // What a shard adds to the site goes into that with the next publish of the whole.
  const isSmall = !isOfSite || paths.size <= (await countKnown(published)) * MOST_OF_FILES;
  const isToAdd = isSmall && before.length < MOST_PARTS && (state.snapshot !== undefined || before.length > 0);
  const files = isToAdd ? readKnownAmong(published, [...paths]) : readKnown(published);
  const parts = [...(isToAdd ? before : []), ...(await writeParts(target, folder, files))];
  const base = isOfSite ? '' : (state.snapshot?.generation ?? '');
  const generation = await writeSnapshot(target, folder, { chainId: origin?.chainId, base, parts });
  await writePublishedInfo(published, 'generation', `${base} ${generation}`.trim());
  // What nothing names any more; the snapshot of the site replaces those of shards, too.
  const kept = new Set([...parts, ...(isOfSite ? [] : ofSite), snapshotKey(folder), lockKey(folder)]);
  for (const key of state.keys) if (key.startsWith(folder) && isOwnKey(key) && !kept.has(key)) await target.remove(key);
  await target.remove(lockKey(folder));
  await writePublishedInfo(published, 'token', undefined);
}
