// Carries out one phase of a publish: sends files, or removes some, many at once. What the storage has confirmed is noted.
import { join } from 'node:path';
import { SITE_RULES } from '#describe/site-rules.ts';
import { objectHeaders } from '#hosts/object-headers.ts';
import { commandLine, shellQuote } from '#model/command-line.ts';
import { type Failure, FailureError, fail, isFailure, stop } from '#model/failure.ts';
import { runAhead } from '#model/run-ahead.ts';
import { runsByWeight } from '#store/lists.ts';
import { confirmChanges, type PlannedChange, type Published, readPlanned } from '#store/published.ts';
import type { Pace } from './pace.ts';
import type { ReadThread } from './read-thread.ts';
import type { Target } from './target.ts';

export interface PhaseOptions {
  readonly published: Published;
  /** The output folder of the build. */
  readonly out: string;
  readonly target: Target;
  readonly pace: Pace;
  readonly thread: ReadThread;
  /** Requests at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** A file, or its removal. */
interface Outgoing {
  readonly change: PlannedChange;
  /** Undefined for a removal, and for a file that is not as the build wrote it. */
  readonly body: Uint8Array | undefined;
}

/** Files that are read at once: of small ones, a hundred. */
const BATCH_BYTES = 1_000_000;
const BYTES_BESIDE = 5_000;
const BATCHES_AHEAD = 3;
/** Between two notes of what the storage has confirmed. */
const CONFIRM_EVERY = 200;
/** So many failures are enough to see what is wrong. */
const MOST_FAILURES = 20;

/** All of it: the next phase may name what is in this. Throws FailureError, retryable where running again may go on. */
export async function carryOut(options: PhaseOptions, phase: number, onDone: (count: number) => void): Promise<void> {
  const { published, concurrency, signal } = options;
  const failures: Failure[] = [];
  let confirmed: PlannedChange[] = [];
  const confirm = async () => {
    const some = confirmed;
    confirmed = [];
    await confirmChanges(published, some);
    onDone(some.length);
  };
  const isOver = () => signal.aborted || failures.length >= MOST_FAILURES || failures.some(isFinal);
  const batches = batchesOf(options, phase);
  let waiting: Outgoing[] = [];
  let reading: Promise<boolean> | undefined;
  const readMore = async () => {
    const { done, value = [] } = await batches.next();
    waiting = value.toReversed();
    reading = undefined;
    return done !== true;
  };
  const next = async () => {
    while (waiting.length === 0) {
      reading ??= readMore();
      if (!(await reading)) return undefined;
    }
    return waiting.pop();
  };
  const work = async () => {
    for (let one = await next(); one !== undefined && !isOver(); one = await next()) {
      const failure = await change(options, one);
      if (failure === undefined) confirmed.push(one.change);
      else failures.push(failure);
      if (confirmed.length >= CONFIRM_EVERY) await confirm();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await batches.return(undefined);
  await confirm();
  const worst = failures.find(isFinal) ?? failures[0];
  if (worst !== undefined && isFinal(worst)) throw new FailureError(worst);
  if (worst !== undefined || signal.aborted)
    throw stop(
      'publish-incomplete',
      `${worst === undefined ? 'Stopped' : `${worst.message} Stopped`} before all was sent. ` +
        'What is there is whole; publishing again goes on.',
    );
}

/** What is to be done, with the bytes of files that are to be sent, some files ahead. */
async function* batchesOf(
  { published, out, thread }: PhaseOptions,
  phase: number,
): AsyncGenerator<Outgoing[], undefined> {
  const pages = readPlanned(published, phase);
  async function* runs() {
    for await (const page of pages) yield* runsByWeight(page, ({ bytes }) => bytes + BYTES_BESIDE, BATCH_BYTES);
  }
  yield* runAhead(runs(), BATCHES_AHEAD, async (changes) => {
    const files = changes.flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [{ path, sha256 }]));
    const bodies = files.length === 0 ? [] : await thread.read({ out, files });
    // A phase sends, or it removes.
    return changes.map((planned, index) => ({ change: planned, body: bodies[index] }));
  });
  return undefined;
}

async function change(
  { out, target, pace }: PhaseOptions,
  { change: { path, sha256 }, body }: Outgoing,
): Promise<Failure | undefined> {
  if (sha256 === undefined) {
    const removed = await pace.run(() => target.remove(path));
    return isFailure(removed) ? removed : undefined;
  }
  if (body === undefined)
    return fail(
      'dist-damaged',
      `${join(out, path)} is not as the build wrote it. ` +
        `Mend it with: ${commandLine('build', `--verify --out ${shellQuote(out)}`)}`,
    );
  const object = { key: path, body, sha256, headers: objectHeaders(path, SITE_RULES) };
  const written = await pace.run(() => target.write(object));
  return isFailure(written) ? written : undefined;
}

function isFinal({ retryable }: Failure): boolean {
  return !retryable;
}
