// Uploads or removes the files of one phase of a publish concurrently, and records each file that the target confirms.

import { join } from 'node:path';
import { runAhead } from '#concurrency/run-ahead.ts';
import { type Failure, FailureError, stop } from '#model/failure.ts';
import { objectHeaders } from '#serving/handle-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { batchesByWeight } from '#sqlite/lists.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { FIRST_REMOVAL } from './order.ts';
import { notePublished, type PlannedChange, type Published, readPlanned } from './published-record.ts';
import { type ReadThread, readFiles } from './read-files.ts';
import type { PublishOptions, TargetObject } from './target.ts';

interface UploadOptions extends PublishOptions {
  readonly published: Published;
  readonly thread: ReadThread | undefined;
}

interface Outgoing {
  readonly change: PlannedChange;
  /** The content to upload; undefined for a removal, and for a file that differs from the build. */
  readonly body: Uint8Array | undefined;
}

/** The number of bytes of files to read together before sending each: about a hundred small files. */
const REQUEST_RUN_BYTES = 1_000_000;
/** The number of bytes of files that a folder target writes together: about a thousand small files. */
const FOLDER_RUN_BYTES = 25_000_000;
/** The estimated memory for a file, in addition to its bytes. */
const BYTES_PER_FILE = 5_000;
const RUNS_AHEAD = 3;
/** The number of confirmed files after which the local record is updated. */
const CONFIRM_EVERY = 200;
/** The number of failures after which a phase ends. */
const MAX_FAILURES = 20;

/** Uploads or removes all files of a phase. Throws FailureError. */
export async function upload(options: UploadOptions, phase: number, onDone: (count: number) => void): Promise<void> {
  const { published, signal } = options;
  const failures: Failure[] = [];
  const confirm = async (changes: readonly PlannedChange[]) => {
    await notePublished(published, changes);
    onDone(changes.length);
  };
  const final = () => failures.find(({ retryable }) => !retryable);
  const mayGoOn = () => !signal.aborted && failures.length < MAX_FAILURES && final() === undefined;
  /** Runs the work. If it fails, notes the failure and returns undefined. */
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      failures.push(error.failure);
      return undefined;
    }
  };
  const tools: PhaseTools = { mayGoOn, attempt, confirm };
  if (options.target.writeRun === undefined || phase >= FIRST_REMOVAL) await sendEach(options, phase, tools);
  else await sendRuns(options, phase, tools);
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

interface PhaseTools {
  readonly mayGoOn: () => boolean;
  readonly attempt: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;
  readonly confirm: (changes: readonly PlannedChange[]) => Promise<void>;
}

/** Uploads or removes files concurrently, with one request for each. */
async function sendEach(options: UploadOptions, phase: number, { mayGoOn, attempt, confirm }: PhaseTools) {
  let confirmed: PlannedChange[] = [];
  const confirmAll = async () => {
    const changes = confirmed;
    confirmed = [];
    await confirm(changes);
  };
  async function* files() {
    for await (const run of outgoing(options, phase, REQUEST_RUN_BYTES)) yield* run;
  }
  const shared = files();
  const work = async () => {
    for await (const file of shared) {
      if (!mayGoOn()) return;
      const sent = await attempt(async () => {
        if (file.change.sha256 === null) await options.target.remove(file.change.path);
        else await options.target.write(objectOf(options, file));
        return file.change;
      });
      if (sent !== undefined) confirmed.push(sent);
      if (confirmed.length >= CONFIRM_EVERY) await confirmAll();
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  await confirmAll();
}

/** Uploads the files in runs. The target writes the files of a run together. */
async function sendRuns(options: UploadOptions, phase: number, { mayGoOn, attempt, confirm }: PhaseTools) {
  for await (const run of outgoing(options, phase, FOLDER_RUN_BYTES)) {
    if (!mayGoOn()) return;
    const isSent = await attempt(async () => {
      await options.target.writeRun?.(run.map((file) => objectOf(options, file)));
      return true;
    });
    if (isSent) await confirm(run.map(({ change }) => change));
  }
}

/** Yields the changes of a phase in runs of about `runBytes`, with the content of files to upload. Reads ahead. */
async function* outgoing(
  { published, out, thread }: UploadOptions,
  phase: number,
  runBytes: number,
): AsyncGenerator<readonly Outgoing[]> {
  async function* runs() {
    for await (const page of readPlanned(published, phase))
      yield* batchesByWeight(page, ({ bytes }) => bytes + BYTES_PER_FILE, runBytes);
  }
  yield* runAhead(runs(), RUNS_AHEAD, async (changes) => {
    const files = changes.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [{ path, sha256 }]));
    const bodies = files.length === 0 ? [] : ((await thread?.run({ out, files })) ?? readFiles({ out, files }));
    // A phase only uploads or only removes, so `bodies` is empty or has a body for each change.
    return changes.map((change, index) => ({ change, body: bodies[index] }));
  });
}

/** Returns the object to upload. Throws FailureError `dist-damaged` if the file differs from the build. */
function objectOf({ out }: UploadOptions, { change: { path, sha256 }, body }: Outgoing): TargetObject {
  if (body === undefined)
    throw stop(
      'dist-damaged',
      `${join(out, path)} differs from the build. ` +
        `Repair it with: ${commandLine('build', `--verify --out ${shellQuote(out)}`)}`,
    );
  return { key: path, body, sha256: sha256 ?? undefined, headers: objectHeaders(path, SITE_RULES) };
}
