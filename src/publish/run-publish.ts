// Publishes a build to a storage: only what changed since the last publish, in an order in which nothing names what is
// not there. A kill anywhere costs nothing: the next run goes on.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BOOKKEEPING_FOLDER } from '#model/answer-headers.ts';
import { commandLine, shellQuote } from '#model/command-line.ts';
import { FailureError, stop } from '#model/failure.ts';
import { formatCount } from '#model/format-count.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Shard } from '#model/shard.ts';
import { openBuildRecord, readOrigin } from '#store/build-record/build-record.ts';
import { hasPlan } from '#store/build-record/changes.ts';
import { takeLock } from '#store/lock.ts';
import {
  addPublished,
  clearPublished,
  countPlanned,
  findUnsendable,
  markUnknown,
  openPublished,
  type PlannedChange,
  type Published,
  planChanges,
  readBuilt,
  readPlanned,
  readPublishedInfo,
  writePublishedInfo,
} from '#store/published.ts';
import { beginPublishing } from './begin-publishing.ts';
import { carryOut } from './carry-out.ts';
import { Pace } from './pace.ts';
import { isRemoval, PHASES, phaseOf } from './phases.ts';
import { type Place, placeOf } from './place.ts';
import { checkLock, heldBy, lockKey, readLock, removeLock, writeLock } from './publish-lock.ts';
import { ReadThread } from './read-thread.ts';
import { readSnapshotFiles, stateKey, writeSnapshot } from './snapshot.ts';
import { must, readStorageState, type StorageState } from './storage-state.ts';
import type { Target } from './target.ts';

export interface PublishOptions {
  /** The output folder of the build. */
  readonly out: string;
  readonly target: Target;
  /** Requests at once. */
  readonly concurrency: number;
  /** Files that may be removed. */
  readonly maxDeletes: number;
  /** Take what is there for published where it has the bytes of the build. */
  readonly adopt: boolean;
  /** Go on with a publish that was begun elsewhere and died. */
  readonly takeOver: boolean;
  /** Called with what would be sent; nothing is. */
  readonly onPlanned?: ((changes: readonly PlannedChange[]) => void) | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** For tests: by how much pauses are shorter. */
  readonly haste?: number;
}

export interface PublishSummary {
  readonly sent: number;
  readonly sentBytes: number;
  readonly removed: number;
}

/** Throws FailureError: retryable where running again may go on. */
export async function runPublish(options: PublishOptions): Promise<PublishSummary> {
  const { out, target } = options;
  const bookkeeping = join(out, BOOKKEEPING_FOLDER);
  const record = join(bookkeeping, 'record.sqlite');
  if (!existsSync(record))
    throw stop(
      'dist-missing',
      `There is no build in ${out}. Make one with: ${commandLine('build', `--out ${shellQuote(out)}`)}`,
    );
  // No build changes files while they are sent.
  const lock = takeLock(join(bookkeeping, 'lock.sqlite'), `publishing ${out}`);
  let published: Published | undefined;
  try {
    const shard = await checkIsWhole(record, out);
    const name = createHash('sha256').update(target.name).digest('hex').slice(0, 16);
    published = await openPublished(join(bookkeeping, 'published', `${name}.sqlite`), record);
    return await new Publisher(published, shard, options).run();
  } finally {
    await published?.destroy();
    lock.release();
  }
}

/** Returns the shard whose build it is. */
async function checkIsWhole(path: string, out: string): Promise<Shard | undefined> {
  const record = await openBuildRecord(path);
  const isInterrupted = await hasPlan(record);
  const origin = await readOrigin(record);
  await record.destroy();
  if (isInterrupted)
    throw stop(
      'dist-missing',
      `The last build of ${out} was interrupted. Finish it with: ${commandLine('build', `--out ${shellQuote(out)}`)}`,
    );
  return origin?.shard;
}

class Publisher {
  readonly #published: Published;
  readonly #options: PublishOptions;
  readonly #target: Target;
  readonly #pace: Pace;
  /** Whose build it is; undefined for that of a whole site. */
  readonly #shard: Shard | undefined;
  readonly #place: Place;

  constructor(published: Published, shard: Shard | undefined, options: PublishOptions) {
    this.#published = published;
    this.#options = options;
    this.#target = options.target;
    this.#pace = new Pace(options.concurrency, options.signal, options.haste);
    this.#shard = shard;
    this.#place = placeOf(this.#target, this.#pace, shard);
  }

  async run(): Promise<PublishSummary> {
    const published = this.#published;
    const { onPlanned, reporter } = this.#options;
    const state = await readStorageState(this.#target, this.#pace, this.#shard);
    const { isHeld, token } = await this.#learn(state);
    // What a shard has no more may be in lists yet: it is removed with the next ones of these.
    await planChanges(published, { phaseOf, removes: this.#shard === undefined });
    const planned = await countPlanned(published);
    const summary = summarize(planned);
    this.#checkRemovals(summary.removed);
    await this.#checkShards();
    if (onPlanned !== undefined) {
      for await (const changes of readAllPlanned(published)) onPlanned(changes);
      return summary;
    }
    const isRecorded = this.#shard !== undefined || state.snapshot !== undefined;
    if (planned.length === 0 && !isHeld && isRecorded) return summary;

    await writePublishedInfo(published, 'token', token);
    const paths = pathsOf(readAllPlanned(published));
    must(await writeLock(this.#place, { token, paths, isHeld }, reporter));
    await this.#checkIsAsLearned(state, isHeld);
    await markUnknown(published);

    const total = planned.reduce((sum, { files }) => sum + files, 0);
    let done = 0;
    const thread = new ReadThread(total);
    try {
      for (const [phase, detail] of PHASES.entries())
        await carryOut({ ...this.#options, published, pace: this.#pace, thread }, phase, (count) => {
          done += count;
          reporter.progress({ task: 'publish', done, total, unit: 'items', detail });
        });
    } finally {
      await thread.close();
    }
    await this.#finish(token, state);
    return summary;
  }

  /**
   * Makes what is known here what is known there. Returns whether there is a lock, this publisher's or one that it
   * takes over, and the token of the lock from now on.
   */
  async #learn(state: StorageState): Promise<{ readonly isHeld: boolean; readonly token: string }> {
    const published = this.#published;
    const { takeOver, reporter } = this.#options;
    const lock = must(await readLock(this.#place));
    const { generation, token } = await readPublishedInfo(published);
    const isOurs = lock !== undefined && lock.token === token;
    // A shard does not go on with the work of others.
    const [other] = this.#shard === undefined && takeOver ? [] : state.others;
    const holder = lock !== undefined && !isOurs && !takeOver ? lock : other;
    if (holder !== undefined) throw new FailureError(heldBy(this.#place, holder));
    if (state.generation !== (generation ?? '') || (lock !== undefined && !isOurs)) {
      await clearPublished(published);
      const site = placeOf(this.#target, this.#pace);
      const whole = state.snapshot === undefined ? [] : [{ place: site, snapshot: state.snapshot }];
      for (const { place, snapshot } of [...whole, ...state.shards])
        for await (const files of readSnapshotFiles(place, snapshot)) await addPublished(published, must(files));
      await writePublishedInfo(published, 'generation', state.generation);
      await addUnknown(published, lock?.paths ?? []);
    }
    for (const { paths } of state.others) await addUnknown(published, paths);
    if (state.isNew && lock === undefined)
      await beginPublishing(published, { ...this.#options, isNew: () => this.#isNew() });
    if (lock !== undefined)
      reporter.info(isOurs ? 'Going on with a publish that was interrupted' : `Going on with that of ${lock.by}`);
    // Whoever it was taken from notices by the token.
    return { isHeld: lock !== undefined, token: isOurs ? lock.token : randomUUID() };
  }

  /** Between learning and locking, another publisher may have begun, or begun and ended. */
  async #checkIsAsLearned(learned: StorageState, wasHeld: boolean): Promise<void> {
    const now = await readStorageState(this.#target, this.#pace, this.#shard);
    const began = now.others.find(({ token }) => !learned.others.some((known) => known.token === token));
    if (began === undefined && now.generation === learned.generation) return;
    // One of before says what is unknown.
    if (!wasHeld) must(await removeLock(this.#place));
    throw new FailureError(heldBy(this.#place, began));
  }

  /** What the builds of shards have cannot be sent from here. */
  async #checkShards(): Promise<void> {
    const { files, first } = await findUnsendable(this.#published);
    if (files > 0)
      throw stop(
        'publish-incomplete',
        `${this.#target.name} lacks ${formatCount(files)} files of shards as they were merged, such as ${first}. ` +
          'Publish the build of every shard first; if one was built since the merge, merge again.',
      );
  }

  async #isNew(): Promise<boolean> {
    return (await readStorageState(this.#target, this.#pace, this.#shard)).isNew;
  }

  #checkRemovals(removals: number): void {
    const { maxDeletes, out } = this.#options;
    if (removals <= maxDeletes) return;
    throw stop(
      'too-many-removals',
      `${formatCount(removals)} files of ${this.#target.name} are not in ${out} any more, and --max-deletes is ` +
        `${formatCount(maxDeletes)}. Nothing was changed. If they are to go: --max-deletes ${removals}`,
    );
  }

  /** What is there is the build. */
  async #finish(token: string, { snapshot: before, keys }: StorageState): Promise<void> {
    // Somebody may have taken it over, since this took too long.
    must(await checkLock(this.#place, token));
    const generation = randomUUID();
    const base = this.#shard === undefined ? '' : (before?.generation ?? '');
    must(await writeSnapshot(this.#place, { generation, base }, readBuilt(this.#published)));
    await writePublishedInfo(this.#published, 'generation', `${base} ${generation}`.trim());
    // What the new snapshot replaces; that of the whole replaces those of shards, too.
    const kept = [stateKey(this.#place), lockKey(this.#place)];
    for (const key of keys)
      if (key.startsWith(this.#place.folder) && !kept.includes(key))
        must(await this.#pace.run(() => this.#target.remove(key)));
    must(await removeLock(this.#place));
    await writePublishedInfo(this.#published, 'token', undefined);
  }
}

function addUnknown(published: Published, paths: readonly string[]): Promise<void> {
  return addPublished(
    published,
    paths.map((path) => ({ path, sha256: undefined })),
  );
}

async function* readAllPlanned(published: Published): AsyncGenerator<PlannedChange[]> {
  for (const phase of PHASES.keys()) yield* readPlanned(published, phase);
}

async function* pathsOf(changes: AsyncIterable<readonly PlannedChange[]>): AsyncGenerator<string[]> {
  for await (const some of changes) yield some.map(({ path }) => path);
}

function summarize(planned: readonly { phase: number; files: number; bytes: number }[]): PublishSummary {
  const sum = (isWanted: (phase: number) => boolean, of: 'files' | 'bytes') =>
    planned.reduce((total, one) => total + (isWanted(one.phase) ? one[of] : 0), 0);
  const isSent = (phase: number) => !isRemoval(phase);
  return { sent: sum(isSent, 'files'), sentBytes: sum(isSent, 'bytes'), removed: sum(isRemoval, 'files') };
}
