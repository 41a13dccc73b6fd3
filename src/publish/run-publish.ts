// Publishes the changed files of a build to a target, in an order in which no file refers to a missing one. The next
// run continues an interrupted publish.

import { hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { checkIsBuilt, recordFileOf, withFinishedBuild } from '#generator/finished-build.ts';
import { readOrigin } from '#generator/record/build-record.ts';
import { BOOKKEEPING_FOLDER } from '#layout/response-files.ts';
import { formatChainId } from '#model/chain.ts';
import { FailureError, stop } from '#model/failure.ts';
import { takeLock } from '#sqlite/lock.ts';
import { formatCount } from '#text/format-count.ts';
import { learnFiles } from './learn-files.ts';
import { PHASES, phaseOf } from './order.ts';
import {
  beginPublish,
  countFiles,
  countPlanned,
  openPublished,
  type Published,
  type PublishSummary,
  planChanges,
  readPlanned,
} from './published-record.ts';
import { openReadThread } from './read-files.ts';
import {
  headerRules,
  type PublishedState,
  type PublishOptions,
  readPublisher,
  readState,
  type Target,
  writePublisher,
  writeState,
} from './target.ts';
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
  const { target, onPlanned } = options;
  const [state, generation] = [await readState(target), randomUUID()];
  checkChain(state, chainId, options);
  const wasCurrent = await learnFiles(published, { state, generation }, options);
  await planChanges(published, phaseOf);
  const [summary, files] = [await countPlanned(published), await countFiles(published)];
  checkSize(files, summary, options);
  const isUniform = state?.headerRules === headerRules() || files.known === 0;
  const isDone = wasCurrent && isUniform && state?.chainId === chainId && summary.sent + summary.removed === 0;
  if (onPlanned !== undefined) {
    for (const phase of PHASES.keys())
      for await (const changes of readPlanned(published, phase)) for (const change of changes) onPlanned(change);
  } else if (!isDone) {
    // Without a listing, the target is claimed only now, so that a publish without changes writes nothing.
    if (wasCurrent) await writePublisher(target, generation);
    // Another publisher may have begun and ended before the claim.
    if ((await readState(target))?.generation !== state?.generation) throw overtaken(target);
    await carryOut(published, { chainId, generation, isUniform, summary }, options);
  }
  return summary;
}

interface Plan {
  readonly chainId: number | undefined;
  readonly generation: string;
  /** True if no object of the target has the headers of other rules. */
  readonly isUniform: boolean;
  readonly summary: PublishSummary;
}

/** Uploads and removes the planned files of a claimed target. */
async function carryOut(
  published: Published,
  { chainId, generation, isUniform, summary }: Plan,
  options: PublishOptions,
): Promise<void> {
  const { target } = options;
  const state = { chainId, generation, headerRules: headerRules() };
  await beginPublish(published, state);
  await writeState(target, isUniform ? state : { ...state, headerRules: '' });
  const checkClaim = async () => {
    if ((await readPublisher(target)) !== generation) throw overtaken(target);
  };
  try {
    await sendAll(published, summary, checkClaim, options);
  } catch (error) {
    // The other publisher may have recorded files that this one has changed since. It must list the target again.
    if (error instanceof FailureError && error.failure.code === 'locked') await writePublisher(target, randomUUID());
    throw error;
  }
  if (!isUniform) await writeState(target, state);
}

function overtaken({ name }: Target): FailureError {
  return stop(
    'locked',
    `Another publisher publishes to ${name} at the same time, so the site may have files of both. Publish again when ` +
      'the other one has finished.',
  );
}

async function sendAll(
  published: Published,
  { sent, removed }: PublishSummary,
  checkClaim: () => Promise<void>,
  options: PublishOptions,
): Promise<void> {
  const { reporter } = options;
  const total = sent + removed;
  let done = 0;
  const thread = openReadThread(total);
  try {
    for (const [phase, detail] of PHASES.entries())
      await upload({ ...options, published, thread, checkClaim }, phase, (count) => {
        done += count;
        reporter.progress({ task: 'publish', done, total, unit: 'items', detail });
      });
  } finally {
    await thread?.close();
  }
}

function checkChain(
  state: PublishedState | undefined,
  chainId: number | undefined,
  { target, out, replace }: PublishOptions,
): void {
  const published = state?.chainId;
  if (published === undefined || published === chainId || replace) return;
  throw stop(
    'other-chain',
    `${target.name} has the site of chain ${formatChainId(published)}, and ${out} has the site of ` +
      `${chainId === undefined ? 'an unknown chain' : `chain ${formatChainId(chainId)}`}. Nothing was changed. Use ` +
      'another bucket or prefix, or replace that site with --replace.',
  );
}

function checkSize(
  { built, known }: Awaited<ReturnType<typeof countFiles>>,
  { removed }: PublishSummary,
  options: PublishOptions,
): void {
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
