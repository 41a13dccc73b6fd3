// Uploads or removes the files of one phase of a publish concurrently, and records each file that the target confirms.

import { join } from 'node:path';
import { runAhead } from '#concurrency/run-ahead.ts';
import { type Failure, FailureError, stop } from '#model/failure.ts';
import { objectHeaders } from '#serving/handle-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { batchesByWeight } from '#sqlite/lists.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { notePublished, type PlannedChange, type Published, readPlanned } from './published-record.ts';
import { type ReadThread, readFiles } from './read-files.ts';
import type { PublishOptions, TargetObject } from './target.ts';

interface UploadOptions extends PublishOptions {
  readonly published: Published;
  readonly thread: ReadThread | undefined;
  /** Throws FailureError `locked` if another publisher has claimed the target. */
  readonly checkClaim: () => Promise<void>;
}

interface Outgoing {
  readonly change: PlannedChange;
  /** The content to upload; undefined for a removal, and for a file that differs from the build. */
  readonly body: Uint8Array | undefined;
}

/** The number of bytes of files to read together before sending each: about a hundred small files. */
const RUN_BYTES = 1_000_000;
/** The estimated memory for a file, in addition to its bytes. */
const BYTES_PER_FILE = 5_000;
const RUNS_AHEAD = 3;
/** The number of confirmed files after which the local record is updated and the claim is checked. */
const CONFIRM_EVERY = 200;
/** The number of failures after which a phase ends. */
const MAX_FAILURES = 20;

/**
 * Uploads or removes all files of a phase, with one request for each. Throws FailureError, `locked` if another publisher
 * has claimed the target before the last request ended.
 */
export async function upload(options: UploadOptions, phase: number, onDone: (count: number) => void): Promise<void> {
  const { published, signal, target, concurrency, checkClaim } = options;
  const failures: Failure[] = [];
  const final = () => failures.find(({ retryable, code }) => !retryable || code === 'locked');
  const mayGoOn = () => !signal.aborted && failures.length < MAX_FAILURES && final() === undefined;
  const attempt = async (action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      failures.push(error.failure);
    }
  };
  let confirmed: PlannedChange[] = [];
  let isBegun = false;
  const confirmAll = async () => {
    const changes = confirmed;
    confirmed = [];
    await notePublished(published, changes);
    onDone(changes.length);
    if (isBegun && !signal.aborted) await checkClaim();
  };
  const shared = outgoing(options, phase);
  const work = async () => {
    for await (const file of shared) {
      if (!mayGoOn()) return;
      isBegun = true;
      await attempt(async () => {
        if (file.change.sha256 === null) await target.remove(file.change.path);
        else await target.write(objectOf(options, file));
        confirmed.push(file.change);
        if (confirmed.length >= CONFIRM_EVERY) await confirmAll();
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await attempt(confirmAll);
  const [first] = failures;
  const stopping = final();
  if (stopping !== undefined) throw new FailureError(stopping);
  if (first !== undefined || signal.aborted)
    throw stop(
      'publish-incomplete',
      `${first === undefined ? '' : `${first.message} `}Not all files were uploaded. ` +
        'The published files are complete. Publish again to continue.',
    );
}

/** Yields the changes of a phase, with the content of files to upload. Reads ahead. */
async function* outgoing({ published, out, thread }: UploadOptions, phase: number): AsyncGenerator<Outgoing> {
  async function* runs() {
    for await (const page of readPlanned(published, phase))
      yield* batchesByWeight(page, ({ bytes }) => bytes + BYTES_PER_FILE, RUN_BYTES);
  }
  const read = runAhead(runs(), RUNS_AHEAD, async (changes) => {
    const files = changes.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [{ path, sha256 }]));
    const bodies = files.length === 0 ? [] : ((await thread?.run({ out, files })) ?? readFiles({ out, files }));
    // A phase only uploads or only removes, so `bodies` is empty or has a body for each change.
    return changes.map((change, index) => ({ change, body: bodies[index] }));
  });
  for await (const run of read) yield* run;
}

/** Returns the object to upload. Throws FailureError `dist-damaged` if the file differs from the build. */
function objectOf({ out }: UploadOptions, { change: { path, sha256 }, body }: Outgoing): TargetObject {
  if (body === undefined)
    throw stop(
      'dist-damaged',
      `${join(out, path)} differs from the build. ` +
        `Repair it with: ${commandLine('build', `--full --out ${shellQuote(out)}`)}`,
    );
  return { key: path, body, sha256: sha256 ?? undefined, headers: objectHeaders(path, SITE_RULES) };
}
