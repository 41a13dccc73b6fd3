// Publishes the changed files of a build to a target, in an order in which no file refers to a missing one. The next
// run continues an interrupted publish.

import { hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { checkIsBuilt, recordFileOf, withFinishedBuild } from '#generator/finished-build.ts';
import { readOrigin } from '#generator/record/build-record.ts';
import { BOOKKEEPING_FOLDER } from '#layout/response-files.ts';
import { formatChainId } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { writeValues } from '#sqlite/info.ts';
import { takeLock } from '#sqlite/lock.ts';
import { formatCount } from '#text/format-count.ts';
import { type LearnedState, learnState } from './learn-state.ts';
import { checkLock, lockFailure, writeLock } from './lock.ts';
import { isServed, PHASES, phaseOf } from './order.ts';
import { LOCK_KEY } from './own-objects.ts';
import { writeList } from './published-list.ts';
import {
  countPlanned,
  markUnknown,
  openPublished,
  type PlanCounts,
  type Published,
  type PublishSummary,
  planChanges,
  readPlanned,
} from './published-record.ts';
import { headerRules, readSite, writeSite } from './published-site.ts';
import { openReadThread } from './read-files.ts';
import type { PublishOptions } from './target.ts';
import { upload } from './upload.ts';

/** The factor by which a published site may be larger than the build that replaces it. */
const MAX_SHRINKING = 2;

/** Publishes a build. Throws FailureError, which is retryable if another run may succeed. */
export async function runPublish(options: PublishOptions): Promise<PublishSummary> {
  const { out, target } = options;
  const bookkeeping = join(out, BOOKKEEPING_FOLDER);
  checkIsBuilt(out);
  // This lock keeps builds from changing files during the upload.
  using _lock = takeLock(join(bookkeeping, 'lock.sqlite'), `publishing ${out}`);
  const origin = await withFinishedBuild(out, readOrigin);
  const name = hash('sha256', target.name, 'hex').slice(0, 16);
  await using published = await openPublished(join(bookkeeping, 'published', `${name}.sqlite`), recordFileOf(out));
  return await publishBuild(published, origin?.chainId, options);
}

async function publishBuild(
  published: Published,
  chainId: number | undefined,
  options: PublishOptions,
): Promise<PublishSummary> {
  const { onPlanned } = options;
  const learned = await learnState(published, options);
  checkChain(learned, chainId, options);
  const counts = await planChanges(published, { phaseOf, isServed });
  checkSize(counts, options);
  const summary = await countPlanned(published);
  const total = summary.sent + summary.removed;
  const isKnown = learned.site !== undefined && learned.chainId === chainId && learned.lock === undefined;
  if (onPlanned !== undefined) {
    for (const phase of PHASES.keys())
      for await (const changes of readPlanned(published, phase)) for (const change of changes) onPlanned(change);
  } else if (!isKnown || total > 0) await carryOut(published, { learned, chainId, total }, options);
  return summary;
}

interface Plan {
  readonly learned: LearnedState;
  readonly chainId: number | undefined;
  readonly total: number;
}

/** Takes the lock, uploads and removes the planned files, and writes the list of published files. */
async function carryOut(
  published: Published,
  { learned, chainId, total }: Plan,
  options: PublishOptions,
): Promise<void> {
  const { target } = options;
  // Keeps the token of an existing lock, so that record and lock match even if a kill separates the next two writes.
  const token = learned.token ?? randomUUID();
  await writeValues(published, { generation: token });
  await writeLock(target, { ...options, token, isHeld: learned.lock !== undefined });
  // Another publisher may have run after this one read the state and before it took the lock.
  if ((await readSite(target))?.generation !== learned.site?.generation) {
    if (learned.lock === undefined) await target.remove(LOCK_KEY);
    throw lockFailure(target, undefined);
  }
  await markUnknown(published);
  // If this process is killed, this list still contains every file that may exist. The new generation invalidates
  // records on other machines.
  await writeList(target, published);
  await writeSite(target, { chainId, generation: token, headerRules: headerRules() });
  await sendAll(published, total, options);
  // Another publisher may have taken over during the upload.
  await checkLock(target, token);
  await writeList(target, published);
  await target.remove(LOCK_KEY);
}

async function sendAll(published: Published, total: number, options: PublishOptions): Promise<void> {
  const { reporter } = options;
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
}

function checkChain(
  { chainId: published }: LearnedState,
  chainId: number | undefined,
  { target, out, replace }: PublishOptions,
): void {
  if (published === undefined || published === chainId || replace) return;
  throw stop(
    'other-chain',
    `${target.name} has the site of chain ${formatChainId(published)}, and ${out} has the site of ` +
      `${chainId === undefined ? 'an unknown chain' : `chain ${formatChainId(chainId)}`}. Nothing was changed. Use ` +
      'another bucket or prefix, or replace that site with --replace.',
  );
}

function checkSize({ built, known, removed }: PlanCounts, options: PublishOptions): void {
  const { maxDeletes, out, target, replace } = options;
  if (built * MAX_SHRINKING < known && !replace)
    throw stop(
      'too-many-removals',
      `${target.name} has ${formatCount(known)} files, but ${out} has only ${formatCount(built)}, less than half. Nothing ` +
        'was changed. If this is the right build, replace that site with --replace.',
    );
  if (removed <= maxDeletes) return;
  throw stop(
    'too-many-removals',
    `${formatCount(removed)} files of ${target.name} are no longer in ${out}, but --max-deletes is ` +
      `${formatCount(maxDeletes)}. Nothing was changed. To remove the files, use --max-deletes ${removed}`,
  );
}
