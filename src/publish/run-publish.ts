// Publishes a build to a storage: only what changed since the last publish, in an order in which nothing names what is
// not there. A kill anywhere costs nothing: the next run goes on.
import { hash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatChainId } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { type BuildOrigin, openBuildRecord, readOrigin } from '#press/record/build-record.ts';
import { hasPlan } from '#press/record/changes.ts';
import { BOOKKEEPING_FOLDER } from '#serving/headers.ts';
import { takeLock } from '#sqlite/lock.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { formatCount } from '#text/format-count.ts';
import { beginPublishing } from './begin-publishing.ts';
import { carryOut } from './carry-out.ts';
import { finishPublishing } from './finish-publishing.ts';
import { isRemoval, PHASES, phaseOf } from './phases.ts';
import { heldBy, type PublishLock, readLock, writeLock } from './publish-lock.ts';
import {
  clearPublished,
  countPlanned,
  findUnsendable,
  type KnownFile,
  markUnknown,
  notePublished,
  openPublished,
  type PlannedChange,
  type Published,
  planChanges,
  readPlanned,
  readPublishedInfo,
  writePublishedInfo,
} from './published.ts';
import { ReadThread } from './read-files.ts';
import { readParts } from './snapshot.ts';
import { lockKey, stateFolder } from './state-keys.ts';
import { readStorageState, type StorageState } from './storage-state.ts';
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
  /** Replace the site of another chain. */
  readonly replace: boolean;
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
    const origin = await checkIsWhole(record, out);
    const name = hash('sha256', target.name, 'hex').slice(0, 16);
    published = await openPublished(join(bookkeeping, 'published', `${name}.sqlite`), record);
    return await new Publisher(published, origin, options).run();
  } finally {
    await published?.destroy();
    lock.release();
  }
}

async function checkIsWhole(path: string, out: string): Promise<BuildOrigin | undefined> {
  const record = await openBuildRecord(path);
  const isInterrupted = await hasPlan(record);
  const origin = await readOrigin(record);
  await record.destroy();
  if (isInterrupted)
    throw stop(
      'dist-missing',
      `The last build of ${out} was interrupted. Finish it with: ${commandLine('build', `--out ${shellQuote(out)}`)}`,
    );
  return origin;
}

class Publisher {
  readonly #published: Published;
  readonly #origin: BuildOrigin | undefined;
  readonly #options: PublishOptions;
  readonly #target: Target;
  /** Where the state of the site is, or of the shard whose build it is. */
  readonly #folder: string;

  constructor(published: Published, origin: BuildOrigin | undefined, options: PublishOptions) {
    this.#published = published;
    this.#origin = origin;
    this.#options = options;
    this.#target = options.target;
    this.#folder = stateFolder(origin?.shard);
  }

  async run(): Promise<PublishSummary> {
    const [published, target, folder] = [this.#published, this.#target, this.#folder];
    const { onPlanned, reporter } = this.#options;
    const learned = await this.#readState();
    this.#checkChain(learned);
    const { lock, token } = await this.#learn(learned);
    // What a shard has no more may be in lists yet: it is removed with the next ones of these.
    await planChanges(published, { phaseOf, removes: this.#isOfSite });
    const planned = await countPlanned(published);
    const summary = summarize(planned);
    this.#checkRemovals(summary.removed);
    await this.#checkShards();
    // What was confirmed before an interruption is in no snapshot yet.
    const paths = new Set(lock?.paths);
    for (const phase of PHASES.keys())
      for await (const changes of readPlanned(published, phase)) {
        onPlanned?.(changes);
        for (const { path } of changes) paths.add(path);
      }
    const { snapshot } = learned;
    const isRecorded = !this.#isOfSite || (snapshot !== undefined && snapshot.chainId === this.#origin?.chainId);
    if (onPlanned !== undefined || (planned.length === 0 && lock === undefined && isRecorded)) return summary;

    await writePublishedInfo(published, 'token', token);
    await writeLock(target, folder, { ...this.#options, token, paths, isHeld: lock !== undefined });
    const state = await this.#checkIsAsLearned(learned, lock);
    await markUnknown(published);

    const total = planned.reduce((sum, { files }) => sum + files, 0);
    let done = 0;
    const thread = new ReadThread(total);
    try {
      for (const [phase, detail] of PHASES.entries())
        await carryOut({ ...this.#options, published, thread }, phase, (count) => {
          done += count;
          reporter.progress({ task: 'publish', done, total, unit: 'items', detail });
        });
    } finally {
      await thread.close();
    }
    await finishPublishing(published, { target, origin: this.#origin, token, state, paths });
    return summary;
  }

  get #isOfSite(): boolean {
    return this.#origin?.shard === undefined;
  }

  #readState(): Promise<StorageState> {
    return readStorageState(this.#target, this.#origin?.shard);
  }

  #checkChain({ snapshot, shards }: StorageState): void {
    const own = this.#origin?.chainId;
    const chains = [snapshot, ...shards].flatMap((one) => one?.chainId ?? []);
    const other = chains.find((chainId) => chainId !== own);
    if (other === undefined || this.#options.replace) return;
    throw stop(
      'other-chain',
      `${this.#target.name} has the site of chain ${formatChainId(other)}, and ${this.#options.out} is that of ` +
        `${own === undefined ? 'an unknown chain' : `chain ${formatChainId(own)}`}. Nothing was changed. Publish to ` +
        'another bucket or prefix; or replace that site with --replace.',
    );
  }

  /**
   * Makes what is known here what is known there. Returns the lock that is there, this publisher's or one that it takes
   * over, and the token of the lock from now on.
   */
  async #learn(state: StorageState): Promise<{ readonly lock: PublishLock | undefined; readonly token: string }> {
    const published = this.#published;
    const { takeOver, reporter } = this.#options;
    const lock = await readLock(this.#target, this.#folder);
    const { generation, token } = await readPublishedInfo(published);
    const isOurs = lock !== undefined && lock.token === token;
    // A shard does not go on with the work of others.
    const [other] = this.#isOfSite && takeOver ? [] : state.others;
    const holder = lock !== undefined && !isOurs && !takeOver ? lock : other;
    if (holder !== undefined) throw heldBy(this.#target, holder);
    // What was begun here may have been ended elsewhere.
    if (state.generation !== (generation ?? '') || lock?.token !== token) {
      await clearPublished(published);
      const parts = [state.snapshot, ...state.shards].flatMap((snapshot) => snapshot?.parts ?? []);
      for await (const files of readParts(this.#target, parts)) await notePublished(published, files);
      await writePublishedInfo(published, 'generation', state.generation);
      await notePublished(published, (lock?.paths ?? []).map(unknownAt));
    }
    for (const { paths } of state.others) await notePublished(published, paths.map(unknownAt));
    if (state.isNew) await beginPublishing(published, this.#options, async () => (await this.#readState()).isNew);
    if (lock !== undefined)
      reporter.info(isOurs ? 'Continuing an interrupted publish' : `Continuing the publish of ${lock.by}`);
    // Whoever it was taken from notices by the token.
    return { lock, token: isOurs ? lock.token : randomUUID() };
  }

  /** Between learning and locking, another publisher may have begun, or begun and ended. */
  async #checkIsAsLearned(learned: StorageState, lock: PublishLock | undefined): Promise<StorageState> {
    const now = await this.#readState();
    const began = now.others.find(({ token }) => !learned.others.some((known) => known.token === token));
    if (began === undefined && now.generation === learned.generation) return now;
    // The records of an earlier publish say what is unknown.
    if (lock === undefined) await this.#target.remove(lockKey(this.#folder));
    throw heldBy(this.#target, began);
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

  #checkRemovals(removals: number): void {
    const { maxDeletes, out } = this.#options;
    if (removals <= maxDeletes) return;
    throw stop(
      'too-many-removals',
      `${formatCount(removals)} files of ${this.#target.name} are not in ${out} any more, and --max-deletes is ` +
        `${formatCount(maxDeletes)}. Nothing was changed. If they are to go: --max-deletes ${removals}`,
    );
  }
}

function unknownAt(path: string): KnownFile {
  return { path, sha256: undefined };
}

function summarize(planned: readonly { phase: number; files: number; bytes: number }[]): PublishSummary {
  const sum = (isWanted: (phase: number) => boolean, of: 'files' | 'bytes') =>
    planned.reduce((total, one) => total + (isWanted(one.phase) ? one[of] : 0), 0);
  const isSent = (phase: number) => !isRemoval(phase);
  return { sent: sum(isSent, 'files'), sentBytes: sum(isSent, 'bytes'), removed: sum(isRemoval, 'files') };
}
