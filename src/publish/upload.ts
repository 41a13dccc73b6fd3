// Sends the files of one phase of a publish, or removes them, many at once. What the storage has confirmed is noted.

import { join } from 'node:path';
import { runAhead } from '#concurrency/run-ahead.ts';
import { type Failure, FailureError, stop } from '#model/failure.ts';
import { objectHeaders } from '#serving/answer-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { runsByWeight } from '#sqlite/lists.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { notePublished, type PlannedChange, type Published, readPlanned } from './published.ts';
import { type ReadThread, readFiles } from './read-files.ts';
import type { PublishOptions } from './target.ts';

interface UploadOptions extends PublishOptions {
  readonly published: Published;
  readonly thread: ReadThread | undefined;
}

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
export async function upload(options: UploadOptions, phase: number, onDone: (count: number) => void): Promise<void> {
  const { published, concurrency, signal } = options;
  const failures: Failure[] = [];
  let confirmed: PlannedChange[] = [];
  const confirm = async () => {
    const some = confirmed;
    confirmed = [];
    await notePublished(published, some);
    onDone(some.length);
  };
  const finalOne = () => failures.find(({ retryable }) => !retryable);
  const files = outgoing(options, phase);
  const work = async () => {
    for await (const one of files) {
      if (signal.aborted || failures.length >= MOST_FAILURES || finalOne() !== undefined) return;
      try {
        await send(options, one);
        confirmed.push(one.change);
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
        failures.push(error.failure);
      }
      if (confirmed.length >= CONFIRM_EVERY) await confirm();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await confirm();
  const final = finalOne();
  if (final !== undefined) throw new FailureError(final);
  const [first] = failures;
  if (first !== undefined || signal.aborted)
    throw stop(
      'publish-incomplete',
      `${first === undefined ? '' : `${first.message} `}Stopped before all was sent. ` +
        'What is there is whole; publishing again goes on.',
    );
}

/** Yields the changes of a phase, with the bytes of files to send; reads some files ahead. */
async function* outgoing({ published, out, thread }: UploadOptions, phase: number): AsyncGenerator<Outgoing> {
  async function* runs() {
    for await (const page of readPlanned(published, phase))
      yield* runsByWeight(page, ({ bytes }) => bytes + BYTES_BESIDE, BATCH_BYTES);
  }
  const batches = runAhead(runs(), BATCHES_AHEAD, async (changes) => {
    const files = changes.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [{ path, sha256 }]));
    const bodies = files.length === 0 ? [] : ((await thread?.run({ out, files })) ?? readFiles({ out, files }));
    // A phase sends, or it removes.
    return changes.map((change, index) => ({ change, body: bodies[index] }));
  });
  for await (const batch of batches) yield* batch;
}

async function send({ out, target }: UploadOptions, { change: { path, sha256 }, body }: Outgoing): Promise<void> {
  if (sha256 === null) return target.remove(path);
  if (body === undefined)
    throw stop(
      'dist-damaged',
      `${join(out, path)} is not as the build wrote it. ` +
        `Mend it with: ${commandLine('build', `--verify --out ${shellQuote(out)}`)}`,
    );
  await target.write({ key: path, body, sha256, headers: objectHeaders(path, SITE_RULES) });
}
