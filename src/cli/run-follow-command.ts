// stxpress follow: takes a node's events, and runs index, build and publish at a pace, each as a process of its own, so
// that nothing keeps the node waiting.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { compressFile } from '#follow/compress-file.ts';
import { fillGaps } from '#follow/fill-gaps.ts';
import { type Payload, startObserver } from '#follow/observer-server.ts';
import { Spool, spoolFiles } from '#follow/spool.ts';
import { isAllowed, readAllowed } from '#follow/who-may-post.ts';
import { stop } from '#model/failure.ts';
import { locateArchive } from '#source/event-archive/locate-archive.ts';
import { takeLock } from '#sqlite/lock.ts';
import { readArchives } from '#store/chain/archives.ts';
import { readTip } from '#store/chain/blocks.ts';
import type { Context } from './context.ts';
import { EXIT_OK, EXIT_TRY_AGAIN } from './exit-status.ts';
import { followLink } from './follow-link.ts';
import { FollowStatus } from './follow-status.ts';
import { checkTarget } from './open-target.ts';
import type { FOLLOW_OPTIONS } from './options.ts';
import { openReplayNode, readReplayNode } from './replay-node.ts';
import { urlOf } from './run-serve-command.ts';
import { runStep } from './run-step.ts';
import type { Settings } from './setting.ts';
import { withIndex } from './with-index.ts';

type FollowSettings = Settings<typeof FOLLOW_OPTIONS>;

const USUAL_PACE_MS = 60_000;
const COMPRESSED = '.zst';

export async function runFollowCommand(settings: FollowSettings, context: Context): Promise<number> {
  const { host, port } = readListen(settings.listen);
  readReplayNode(settings);
  const allowed = readAllowed(settings.allowFrom);
  // The protocol of nodes has no passwords: where others can connect, it must be said who may.
  const isLocal = host === 'localhost' || isAllowed(readAllowed([]), host);
  if (!isLocal && settings.allowFrom.length === 0)
    throw stop('usage', `--listen is ${host}, where other machines can connect. Say with --allow-from who may post.`);
  if (settings.publish !== undefined) await checkTarget('--publish', settings.publish, settings, context);
  const { db, spool: folder, spoolFileBytes: maxFileBytes } = settings;
  const lock = takeLock(join(followLink(folder), 'lock.sqlite'), `writing to the spool ${folder}`);
  const spool = await Spool.open({ folder, maxFileBytes });
  const status = new FollowStatus(folder, await readIndexedTip(db, context));
  const follower = new Follower(settings, context, spool, status);
  const server = await startObserver({
    host,
    port,
    allowed,
    names: settings.allowName.map((name) => name.toLowerCase()),
    spool,
    folder,
    reporter: context.reporter,
    describe: (path) => status.describe(path),
    onPayload: (payload) => status.onPayload(payload),
    onRefused: (reason) => status.onRefused(reason),
  });
  const address = urlOf(server, host).replace('http://', '');
  context.print(
    [
      `Listening at ${address} for what a node posts; the archive is in ${folder}.`,
      'In the configuration of the node, in its section [node]:',
      '',
      '  event_dispatcher_blocking = false',
      '',
      'and at its end:',
      '',
      '  [[events_observer]]',
      `  endpoint = "${address}"`,
      '  events_keys = ["*"]',
      '  timeout_ms = 300_000',
    ].join('\n'),
  );
  try {
    await follower.run();
  } finally {
    server.close();
    // What is being written gets its answer; what has not come as a whole comes again.
    await spool.close();
    await nextTurn();
    server.closeAllConnections();
    lock.release();
  }
  return EXIT_OK;
}

/** Where the index cannot be read, its next run says why. */
async function readIndexedTip(db: string, { reporter }: Context): Promise<Payload['block']> {
  if (!existsSync(db)) return undefined;
  try {
    return await withIndex(db, readTip, { mustExist: true });
  } catch (error) {
    reporter.warn((error as Error).message);
    return undefined;
  }
}

class Follower {
  readonly #settings: FollowSettings;
  readonly #context: Context;
  readonly #spool: Spool;
  readonly #status: FollowStatus;
  /** Files of the spool that are compressed, and that the index has to their end. */
  readonly #indexed = new Set<string>();
  /** Blocks that the node does not have. */
  readonly #missing = new Set<string>();

  constructor(settings: FollowSettings, context: Context, spool: Spool, status: FollowStatus) {
    this.#settings = settings;
    this.#context = context;
    this.#spool = spool;
    this.#status = status;
  }

  async run(): Promise<void> {
    const { signal } = this.#context;
    const { every = USUAL_PACE_MS } = this.#settings;
    let indexed = -1;
    let isComplete = false;
    while (!signal.aborted) {
      const before = this.#spool.written;
      if (before !== indexed || !isComplete) {
        isComplete = await this.#bringUpToDate().catch((error) => this.#postpone(error));
        indexed = before;
      }
      await delay(every, undefined, { signal }).catch(() => {});
    }
  }

  /** A full disk, say: the node goes on being heard, and the next round tries again. */
  #postpone(error: Error): false {
    const { reporter, signal } = this.#context;
    if (!signal.aborted) reporter.warn(`What came is not brought up to date for now: ${error.message}`);
    return false;
  }

  /** Returns whether nothing is left to do. */
  async #bringUpToDate(): Promise<boolean> {
    const { db, out, build, publish, endpoint, region } = this.#settings;
    await this.#learnIndexed();
    if (this.#filesToIndex().length === 0) return true;
    let indexed = await this.#index();
    if (isDone(indexed) && (await this.#fillGaps()) > 0) indexed = await this.#index();
    if (!isDone(indexed)) return false;
    const statuses = [indexed];
    const full = this.#filesToIndex().slice(0, -1);
    await this.#compress(full.filter((name) => !name.endsWith(COMPRESSED)));
    if (build || publish !== undefined) statuses.push(await this.#step('build', ['--db', db, '--out', out]));
    if (publish !== undefined && statuses.every(isDone)) {
      const where = Object.entries({ to: publish, endpoint, region }).filter(([, value]) => value !== undefined);
      const flags = where.flatMap(([name, value = '']) => [`--${name}`, value]);
      statuses.push(await this.#step('publish', ['--out', out, ...flags]));
    }
    return statuses.every((status) => status === EXIT_OK);
  }

  /** One that was begun on a full disk has nothing in it. */
  #filesToIndex(): string[] {
    const { spool } = this.#settings;
    const hasLines = (name: string) => statSync(join(spool, name)).size > 0;
    return spoolFiles(spool).filter((name) => !this.#indexed.has(name) && hasLines(name));
  }

  #index(): Promise<number | null> {
    const { db, spool } = this.#settings;
    const archives = this.#filesToIndex().flatMap((name) => ['--archive', join(spool, name)]);
    return this.#step('index', ['--db', db, '--skip-broken', ...archives]);
  }

  /** Returns how many blocks came into the spool. */
  async #fillGaps(): Promise<number> {
    const { db, spool: folder } = this.#settings;
    const { reporter, signal } = this.#context;
    const [spool, missing] = [this.#spool, this.#missing];
    const client = openReplayNode(this.#settings, signal);
    if (client === undefined) return 0;
    try {
      return await withIndex(db, (store) => fillGaps({ store, spool, folder, client, reporter, signal, missing }), {
        mustExist: true,
      });
    } catch (error) {
      // A full disk, say: the next round tries again, and the node goes on being heard.
      reporter.warn(`What was missed is not filled in for now: ${(error as Error).message}`);
      return 0;
    } finally {
      await client.close();
    }
  }

  /** Compressed files were indexed, but perhaps into an index that is gone. Each is looked at once. */
  async #learnIndexed(): Promise<void> {
    const { db, spool } = this.#settings;
    if (!existsSync(db)) return this.#indexed.clear();
    const names = spoolFiles(spool).filter((name) => name.endsWith(COMPRESSED) && !this.#indexed.has(name));
    for (const name of await this.#indexedOf(names)) this.#indexed.add(name);
  }

  /** `names`: of files that nothing more comes to. */
  async #compress(names: readonly string[]): Promise<void> {
    for (const name of await this.#indexedOf(names)) {
      await compressFile(join(this.#settings.spool, name), this.#context.signal);
      this.#indexed.add(`${name}${COMPRESSED}`);
    }
  }

  /** Those that are indexed to their end: another run may have been at work, or this one killed. */
  async #indexedOf(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const { db, spool } = this.#settings;
    const positions = await withIndex(db, readArchives, { mustExist: true });
    const indexed: string[] = [];
    for (const name of names) {
      if (this.#context.signal.aborted) break;
      const { archive, known } = await locateArchive(join(spool, name), positions);
      const isAtEnd = known !== undefined && (await archive.chunks.next()).done === true;
      await archive.chunks.return(undefined);
      archive.close();
      if (isAtEnd) indexed.push(name);
    }
    return indexed;
  }

  /** Runs another command of the program. Returns its exit status. */
  async #step(command: string, args: readonly string[]): Promise<number | null> {
    const { signal, reporter } = this.#context;
    if (signal.aborted) return null;
    const step = await runStep(command, args, this.#context);
    this.#status.onStep(step);
    const { status } = step;
    if (!isDone(status) && !signal.aborted) reporter.warn(`${command} ended with status ${status}; it runs again.`);
    return status;
  }
}

/** An index run that leaves work for later has read the archive. */
function isDone(status: number | null | undefined): boolean {
  return status === EXIT_OK || status === EXIT_TRY_AGAIN;
}

/** Throws FailureError `usage`. */
function readListen(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535)
    throw stop('usage', `--listen is ${JSON.stringify(text)}. It takes an address and a port, such as 127.0.0.1:3700.`);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
