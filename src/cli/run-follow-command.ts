// stxpress follow: takes a node's events, and runs index, build and publish at a pace, each as a process of its own, so
// that nothing keeps the node waiting.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compressFile } from '#follow/compress-file.ts';
import { OBSERVER_PATHS, type Payload, startObserver } from '#follow/observer-server.ts';
import { Spool, spoolFiles } from '#follow/spool.ts';
import { stop } from '#model/failure.ts';
import { JsonClient } from '#net/json-client.ts';
import { locateArchive } from '#source/event-archive/locate-archive.ts';
import { readArchives } from '#store/archives.ts';
import type { Context } from './context.ts';
import { EXIT_OK, EXIT_TRY_AGAIN } from './exit-status.ts';
import { fillGaps } from './fill-gaps.ts';
import { checkTarget } from './open-target.ts';
import type { FOLLOW_OPTIONS } from './options.ts';
import { readUrl } from './read-url.ts';
import { urlOf } from './run-serve-command.ts';
import type { Settings } from './setting.ts';
import { withIndex } from './with-index.ts';

type FollowSettings = Settings<typeof FOLLOW_OPTIONS>;

const USUAL_PACE_MS = 60_000;
/** How long a command that runs may take to end. */
const STOP_MS = 8_000;
const COMPRESSED = '.zst';

interface Step {
  readonly command: string;
  readonly at: string;
  readonly seconds: number;
  readonly status: number | null;
}

export async function runFollowCommand(settings: FollowSettings, context: Context): Promise<number> {
  const { host, port } = readListen(settings.listen);
  checkNode(settings);
  const allowed = readAllowed(settings.allowFrom, host);
  if (settings.publish !== undefined) await checkTarget('--publish', settings.publish, settings, context.signal);
  const { spool: folder, spoolFileBytes: maxFileBytes } = settings;
  const spool = await Spool.open({ folder, maxFileBytes });
  const follower = new Follower(settings, context, spool);
  const server = await startObserver({
    host,
    port,
    allowed,
    spool,
    folder,
    reporter: context.reporter,
    describe: (path) => follower.describe(path),
    onPayload: (payload) => follower.onPayload(payload),
  });
  const address = urlOf(server, host).replace('http://', '');
  context.print(
    [
      `Listening at ${address} for what a node posts; the archive is in ${folder}.`,
      'In the configuration of the node:',
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
    // What is on its way gets its answer.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await Promise.race([closed, delay(STOP_MS, undefined, { ref: false })]);
    server.closeAllConnections();
    await spool.close();
  }
  return EXIT_OK;
}

class Follower {
  readonly #settings: FollowSettings;
  readonly #context: Context;
  readonly #spool: Spool;
  readonly #counts = new Map<string, number>();
  readonly #steps = new Map<string, Step>();
  /** Files of the spool that are compressed, and that the index has to their end. */
  readonly #indexed = new Set<string>();
  /** Blocks that the node does not have. */
  readonly #missing = new Set<string>();
  #block: Payload['block'];

  constructor(settings: FollowSettings, context: Context, spool: Spool) {
    this.#settings = settings;
    this.#context = context;
    this.#spool = spool;
  }

  onPayload({ path, block }: Payload): void {
    const name = OBSERVER_PATHS.has(path) ? path : 'unknown';
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#block = block ?? this.#block;
  }

  async run(): Promise<void> {
    const { signal } = this.#context;
    const { every = USUAL_PACE_MS } = this.#settings;
    let indexed = -1;
    let isComplete = false;
    while (!signal.aborted) {
      const before = this.#spool.written;
      if (before !== indexed || !isComplete) {
        isComplete = await this.#bringUpToDate();
        indexed = before;
      }
      await delay(every, undefined, { signal }).catch(() => {});
    }
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

  #filesToIndex(): string[] {
    return spoolFiles(this.#settings.spool).filter((name) => !this.#indexed.has(name));
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
    const client = openNode(this.#settings, signal);
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
      await compressFile(join(this.#settings.spool, name));
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
    const [at, start] = [new Date().toISOString(), performance.now()];
    const program = process.argv[1] as string;
    const child = spawn(process.execPath, [...process.execArgv, program, command, ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const stopChild = () => endSoon(child);
    signal.addEventListener('abort', stopChild);
    const status = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('close', resolve);
    });
    signal.removeEventListener('abort', stopChild);
    const seconds = (performance.now() - start) / 1_000;
    this.#steps.set(command, { command, at, seconds, status });
    if (!isDone(status) && !signal.aborted) reporter.warn(`${command} ended with status ${status}; it runs again.`);
    return status;
  }

  describe(path: string): { type: string; text: string } | undefined {
    const { spool } = this.#settings;
    const bytes = readdirSync(spool, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { name }) => sum + (statSync(join(spool, name), { throwIfNoEntry: false })?.size ?? 0), 0);
    const time = this.#block?.burnBlockTime;
    const lag = time === undefined ? undefined : Math.max(0, Math.round(Date.now() / 1_000 - time));
    if (path === '/') {
      const facts = {
        tip: this.#block?.height,
        lag_seconds: lag,
        spool_bytes: bytes,
        payloads: Object.fromEntries(this.#counts),
        steps: [...this.#steps.values()],
      };
      return { type: 'application/json', text: `${JSON.stringify(facts, null, 2)}\n` };
    }
    if (path !== '/metrics') return undefined;
    const lines = [
      `stxpress_tip_height ${this.#block?.height ?? 0}`,
      ...(lag === undefined ? [] : [`stxpress_tip_lag_seconds ${lag}`]),
      `stxpress_spool_bytes ${bytes}`,
      ...[...this.#counts].map(([name, count]) => `stxpress_payloads_total{path="${name}"} ${count}`),
      ...[...this.#steps.values()].flatMap(({ command, at, seconds, status }) => [
        `stxpress_step_seconds{step="${command}"} ${seconds.toFixed(3)}`,
        `stxpress_step_status{step="${command}"} ${status ?? -1}`,
        `stxpress_step_started{step="${command}"} ${Date.parse(at) / 1_000}`,
      ]),
    ];
    return { type: 'text/plain; version=0.0.4', text: `${lines.join('\n')}\n` };
  }
}

/** Throws FailureError `usage`. */
function checkNode({ nodeUrl, nodeAuth }: FollowSettings): string | undefined {
  if (nodeAuth !== undefined && nodeUrl === undefined)
    throw stop('usage', '--node-auth is for the node of --node-url, which is not given.');
  return nodeUrl === undefined ? undefined : readUrl('--node-url', nodeUrl, 'http://127.0.0.1:20443');
}

/** A new one each time: a node that was away is not given up for ever. */
function openNode(settings: FollowSettings, signal: AbortSignal): JsonClient | undefined {
  const [baseUrl, { nodeAuth }] = [checkNode(settings), settings];
  if (baseUrl === undefined || nodeAuth === undefined) return undefined;
  return new JsonClient({
    baseUrl,
    secretHeaders: { authorization: nodeAuth },
    limits: { connectTimeoutMs: 10_000, idleTimeoutMs: 60_000, totalTimeoutMs: 300_000 },
    concurrency: 1,
    requestsPerMinute: undefined,
    patienceMs: 0,
    signal,
  });
}

/** An index run that leaves work for later has read the archive. */
function isDone(status: number | null | undefined): boolean {
  return status === EXIT_OK || status === EXIT_TRY_AGAIN;
}

/** As an operator does: asks first. */
function endSoon(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), STOP_MS).unref();
}

/** Throws FailureError `usage`. */
function readListen(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535)
    throw stop('usage', `--listen is ${JSON.stringify(text)}. It takes an address and a port, such as 127.0.0.1:3700.`);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** The protocol of nodes has no passwords: where others can connect, it must be said who may. */
function readAllowed(ranges: readonly string[], host: string): BlockList {
  const allowed = new BlockList();
  allowed.addSubnet('127.0.0.0', 8, 'ipv4');
  allowed.addAddress('::1', 'ipv6');
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    if (version === 0 || Number(bits ?? most) > most || !/^\d*$/.test(bits ?? ''))
      throw stop(
        'usage',
        `--allow-from is ${JSON.stringify(range)}. It takes an address or a range, such as 10.0.0.0/8.`,
      );
    allowed.addSubnet(address, Number(bits ?? most), version === 4 ? 'ipv4' : 'ipv6');
  }
  const isLocal = host === 'localhost' || (isIP(host) > 0 && allowed.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'));
  if (!isLocal && ranges.length === 0)
    throw stop('usage', `--listen is ${host}, where other machines can connect. Say with --allow-from who may post.`);
  return allowed;
}
