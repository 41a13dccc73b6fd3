// Publishes a build to a storage: only what changed since the last publish, in an order in which nothing names what is
// not there. A kill anywhere costs nothing: the next run goes on.

import { hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { runAhead } from '#concurrency/run-ahead.ts';
import { readIntact } from '#files/read-if-there.ts';
import { BOOKKEEPING_FOLDER } from '#layout/answer-files.ts';
import { formatChainId } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { checkIsBuilt, recordFileOf, withFinishedBuild } from '#press/finished-build.ts';
import { readOrigin } from '#press/record/build-record.ts';
import { objectHeaders } from '#serving/answer-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import { takeLock } from '#sqlite/lock.ts';
import { formatCount } from '#text/format-count.ts';
import { heldBy, type PublishLock, readLock, writeLock } from './lock.ts';
import { PHASES, phaseOf } from './order.ts';
import { lockKey, STATE_FOLDER } from './own-objects.ts';
import {
  clearPublished,
  countPlanned,
  type KnownFile,
  markUnknown,
  notePublished,
  openPublished,
  type Published,
  type PublishSummary,
  planChanges,
  readBuiltAmong,
  readPlanned,
} from './published.ts';
import { openReadThread } from './read-files.ts';
import { readParts } from './snapshot.ts';
import { readState, type StorageState, writeState } from './state.ts';
import type { PublishOptions } from './target.ts';
import { upload } from './upload.ts';

/** Paths that lead out of a storage: whoever may write a record there could have other files removed. */
const OUTSIDE = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** Throws FailureError: retryable where running again may go on. */
export async function runPublish(options: PublishOptions): Promise<PublishSummary> {
  const { out, target } = options;
  const bookkeeping = join(out, BOOKKEEPING_FOLDER);
  checkIsBuilt(out);
  // No build changes files while they are sent.
  using _lock = takeLock(join(bookkeeping, 'lock.sqlite'), `publishing ${out}`);
  const chainId = (await withFinishedBuild(out, readOrigin))?.chainId;
  const name = hash('sha256', target.name, 'hex').slice(0, 16);
  await using published = await openPublished(join(bookkeeping, 'published', `${name}.sqlite`), recordFileOf(out));
  return await publishBuild(published, chainId, options);
}

async function publishBuild(
  published: Published,
  chainId: number | undefined,
  options: PublishOptions,
): Promise<PublishSummary> {
  const { target, onPlanned, reporter } = options;
  const learned = await readState(target);
  checkChain(learned, chainId, options);
  const { lock, token } = await learn(published, learned, options);
  await planChanges(published, phaseOf);
  const summary = await countPlanned(published);
  const total = summary.sent + summary.removed;
  checkRemovals(summary.removed, options);
  // Files confirmed before an interruption are in no snapshot yet.
  const paths = new Set(lock?.paths);
  for (const phase of PHASES.keys())
    for await (const changes of readPlanned(published, phase))
      for (const change of changes) {
        onPlanned?.(change);
        paths.add(change.path);
      }
  const { snapshot, shards } = learned;
  const isRecorded = snapshot !== undefined && snapshot.chainId === chainId && shards.length === 0;
  if (onPlanned !== undefined || (total === 0 && lock === undefined && isRecorded)) return summary;

  await writeValues(published, { token });
  await writeLock(target, { ...options, token, paths, isHeld: lock !== undefined });
  // Between learning and locking, another publisher may have begun, or begun and ended.
  const state = await readState(target);
  const began = state.shardLocks.find(({ token }) => !learned.shardLocks.some((known) => known.token === token));
  if (began !== undefined || state.generation !== learned.generation) {
    // A lock that was there before says what is unknown, and stays.
    if (lock === undefined) await target.remove(lockKey());
    throw heldBy(target, began);
  }
  await markUnknown(published);

  let done = 0;
  const thread = openReadThread(total);
  try {
    for (const [phase, detail] of PHASES.entries())
      await upload({ ...options, published, thread }, phase, (count) => {
        done += count;
        reporter.progress({ task: 'publish', done, total, unit: 'items', detail });
      });
  } finally {
    await thread?.close();
  }
  await writeState(target, published, { chainId, token, state, paths });
  return summary;
}

/** Makes what is known here what is known there. Returns the lock that is there, own or taken over, and its token. */
async function learn(
  published: Published,
  state: StorageState,
  options: PublishOptions,
): Promise<{ readonly lock: PublishLock | undefined; readonly token: string }> {
  const { target, takeOver, reporter } = options;
  const lock = await readLock(target);
  const { generation, token } = await readValues(published);
  const isOurs = lock !== undefined && lock.token === token;
  const holder = takeOver ? undefined : lock !== undefined && !isOurs ? lock : state.shardLocks[0];
  if (holder !== undefined) throw heldBy(target, holder);
  const note = async (files: readonly KnownFile[]) => {
    const odd = files.find(({ path }) => OUTSIDE.test(path));
    if (odd !== undefined)
      throw stop(
        'target-foreign',
        `The record in ${STATE_FOLDER} of ${target.name} names ${odd.path}, which is no file of a site. Nothing was ` +
          'changed. Find out who wrote it; then remove that folder, and publish with --adopt.',
      );
    await notePublished(published, files);
  };
  const noteUnknown = ({ paths }: PublishLock) => note(paths.map((path) => ({ path, sha256: undefined })));
  // A publish that was begun here may have been ended elsewhere.
  if (state.generation !== (generation ?? '') || lock?.token !== token) {
    await clearPublished(published);
    const parts = [state.snapshot, ...state.shards].flatMap((snapshot) => snapshot?.parts ?? []);
    for await (const files of readParts(target, parts)) await note(files);
    await writeValues(published, { generation: state.generation });
    if (lock !== undefined) await noteUnknown(lock);
  }
  for (const one of state.shardLocks) await noteUnknown(one);
  if (state.isNew) await clearPublished(published);
  if (state.isNew) await adoptFiles(published, options, async () => (await readState(target)).isNew);
  if (lock !== undefined)
    reporter.info(isOurs ? 'Continuing an interrupted publish' : `Continuing the publish of ${lock.by}`);
  // Whoever it was taken from notices by the token.
  return { lock, token: isOurs ? lock.token : randomUUID() };
}

function checkChain({ snapshot, shards }: StorageState, own: number | undefined, options: PublishOptions): void {
  const other = [snapshot, ...shards].flatMap((one) => one?.chainId ?? []).find((chainId) => chainId !== own);
  if (other === undefined || options.replace) return;
  throw stop(
    'other-chain',
    `${options.target.name} has the site of chain ${formatChainId(other)}, and ${options.out} is that of ` +
      `${own === undefined ? 'an unknown chain' : `chain ${formatChainId(own)}`}. Nothing was changed. Publish to ` +
      'another bucket or prefix; or replace that site with --replace.',
  );
}

function checkRemovals(removals: number, { maxDeletes, out, target }: PublishOptions): void {
  if (removals <= maxDeletes) return;
  throw stop(
    'too-many-removals',
    `${formatCount(removals)} files of ${target.name} are not in ${out} any more, and --max-deletes is ` +
      `${formatCount(maxDeletes)}. Nothing was changed. If they are to go: --max-deletes ${removals}`,
  );
}

/** `isNew`: whether still no publisher was ever there. Throws FailureError `target-foreign`; nothing was changed. */
async function adoptFiles(
  published: Published,
  { out, target, concurrency, adopt, reporter }: PublishOptions,
  isNew: () => Promise<boolean>,
): Promise<void> {
  let done = 0;
  for await (const keys of target.list()) {
    const foreign = keys.find((key) => !key.startsWith(STATE_FOLDER));
    if (!adopt && foreign !== undefined) {
      // Another publisher may have begun meanwhile; it writes its lock first.
      if (!(await isNew())) return;
      throw stop(
        'target-foreign',
        `${target.name} holds files that stxpress did not publish, such as ${foreign}. Nothing was changed. Name an ` +
          'empty one or another prefix; or with --adopt, files that are as the build has them count as published.',
      );
    }
    const files = await readBuiltAmong(published, keys);
    const adopted = runAhead(files, concurrency, async (file) => {
      const { path: key, sha256 } = file;
      const body = readIntact(join(out, key), sha256);
      return body && (await target.has({ key, body, headers: objectHeaders(key, SITE_RULES) })) ? file : [];
    });
    await notePublished(published, (await Array.fromAsync(adopted)).flat());
    done += keys.length;
    if (adopt) reporter.progress({ task: 'adopt', done, unit: 'items' });
  }
}
