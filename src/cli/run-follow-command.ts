// stxpress follow: receives the events of a node, and runs index, build and publish at intervals. Each command is a
// separate process, so that the node never waits for it.
import { spawn } from 'node:child_process';
import { addAbortListener } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFollowStatus, type FollowStatus, type Step } from '#follow/follow-status.ts';
import { type Payload, startObserver } from '#follow/observer-server.ts';
import { type Ended, runFollower } from '#follow/run-follower.ts';
import { openSpool } from '#follow/spool.ts';
import { isAllowed, readAllowed } from '#follow/who-may-post.ts';
import { SEED_MANIFEST } from '#layout/data-files.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { ServerClient } from '#net/server-client.ts';
import { checkArchiveExists } from '#source/event-archive/open-archive.ts';
import { takeLock } from '#sqlite/lock.ts';
import { readTip } from '#store/chain/blocks.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { checkWritable } from './check-writable.ts';
import { followLink } from './follow-link.ts';
import { checkTarget } from './open-target.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import { urlOf } from './run-serve-command.ts';
import { type Context, EXIT_OK, EXIT_TRY_AGAIN } from './surroundings.ts';
import { withIndex } from './use-index.ts';

type FollowSettings = SettingsOf<'follow'>;

const DEFAULT_INTERVAL_MS = 60_000;

export async function run(settings: FollowSettings, context: Context): Promise<undefined> {
  const { host, port } = readListen(settings.listen);
  readReplayNode(settings);
  if (settings.archive.length > 0 && settings.seed === undefined)
    throw stop('usage', '--archive needs --write-seed, since only a seed needs archives that were indexed before.');
  for (const path of settings.archive) checkArchiveExists(path);
  const allowed = readAllowed(settings.allowFrom);
  // Nodes send no password, so --allow-from must name the machines that may post if other machines can connect.
  const isLocal = host === 'localhost' || isAllowed(readAllowed([]), host);
  if (!isLocal && settings.allowFrom.length === 0)
    throw stop(
      'usage',
      `--listen is ${host}, which other machines can reach. Name the machines that may post with --allow-from.`,
    );
  if (settings.publish !== undefined) await checkTarget('--publish', settings.publish, settings, context);
  const { db, spool: folder, spoolFileBytes: maxFileBytes } = settings;
  checkWritable('--spool', folder, followLink(folder));
  checkWritable('--db', db, dirname(followLink(db)), 'index-unwritable');
  if (settings.seed !== undefined) checkWritable('--write-seed', settings.seed);
  if (settings.build || settings.publish !== undefined) checkWritable('--out', settings.out);
  using _lock = takeLock(join(followLink(folder), 'lock.sqlite'), `writing to the spool ${folder}`);
  const spool = await openSpool({ folder, maxFileBytes });
  const { tip, chainId } = await readIndexed(db, context);
  const status = createFollowStatus(folder, tip);
  const server = await startObserver({
    host,
    port,
    allowed,
    names: settings.allowName.map((name) => name.toLowerCase()),
    spool,
    chainId,
    reporter: context.reporter,
    ...status,
  });
  const address = urlOf(server, host).replace('http://', '');
  context.print(
    [
      `Listening at ${address} for events of a node; the archive is in ${folder}.`,
      'Add to the section [node] of the configuration of the node:',
      '',
      '  event_dispatcher_blocking = false',
      '',
      'and to its end:',
      '',
      '  [[events_observer]]',
      `  endpoint = "${address}"`,
      '  events_keys = ["*"]',
      '  timeout_ms = 300_000',
    ].join('\n'),
  );
  try {
    await runFollower({
      spool,
      db,
      everyMs: settings.every ?? DEFAULT_INTERVAL_MS,
      ...followerSteps(settings, context, status),
      useIndex: (use) => withIndex(db, use, { mustExist: true }),
      openNode: () => openReplayNode(settings, context.signal),
      reporter: context.reporter,
      signal: context.signal,
    });
  } finally {
    server.close();
    // A complete payload is still written and acknowledged. The node sends an incomplete payload again.
    await spool.close();
    await nextTurn();
    server.closeAllConnections();
  }
}

/** Reads the tip and the chain id of the index. If the index cannot be read, the next index run reports the error. */
async function readIndexed(db: string, { reporter }: Context) {
  const none: { readonly tip?: Payload['block']; readonly chainId?: number | undefined } = {};
  if (!existsSync(db)) return none;
  try {
    const read = async (store: Store) => [await readTip(store), (await readInfo(store)).anyChainId] as const;
    const [tip, chainId] = await withIndex(db, read, { mustExist: true });
    // Ignores the chain id of the sample, since the index run reports that the index has the sample.
    return { tip, chainId: chainId === SAMPLE_CHAIN_ID ? undefined : chainId };
  } catch (error) {
    reporter.warn((error as Error).message);
    return none;
  }
}

/** Returns functions that run the commands of a follower and return their results. */
function followerSteps(settings: FollowSettings, context: Context, status: FollowStatus) {
  const { db, out, spool, archive, seed, build, publish, endpoint, region, finalBlocks } = settings;
  const run = async (command: string, args: readonly string[]): Promise<Ended> => {
    const { signal, reporter } = context;
    if (signal.aborted) return 'failed';
    const step = await runStep(command, args, context);
    status.onStep(step);
    if (step.status === EXIT_OK) return 'done';
    if (step.status === EXIT_TRY_AGAIN) return 'later';
    if (!signal.aborted) reporter.warn(`${command} exited with status ${step.status} and will be run again.`);
    return 'failed';
  };
  return {
    // `--wait 0`: the next run retries failures, so that the build does not wait for a host that is down.
    index: (archives: readonly string[]) =>
      run('index', [
        '--db',
        db,
        '--skip-broken',
        '--allow-reorg',
        '--wait',
        '0',
        '--final-blocks',
        `${finalBlocks}`,
        ...archives.flatMap((path) => ['--archive', path]),
      ]),
    deliver: async () => {
      // If the seed cannot be made, because of a gap for example, the site keeps the last one. New events retry it.
      const named = archive.flatMap((path) => ['--archive', path]);
      if (seed !== undefined) await run('seed', ['--db', db, '--spool', spool, '--out', seed, ...named]);
      if (!build && publish === undefined) return 'done';
      const built = await run('build', ['--db', db, '--out', out, ...(hasSeed(seed) ? ['--with-seed', seed] : [])]);
      if (publish === undefined || built !== 'done') return built;
      const target = Object.entries({ to: publish, endpoint, region }).filter(([, value]) => value !== undefined);
      const flags = target.flatMap(([name, value = '']) => [`--${name}`, value]);
      return run('publish', ['--out', out, ...flags]);
    },
  };
}

function hasSeed(folder: string | undefined): folder is string {
  return folder !== undefined && existsSync(join(folder, SEED_MANIFEST));
}

/** Parses an address and a port. Throws FailureError `usage`. */
function readListen(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535)
    throw stop('usage', `--listen is ${JSON.stringify(text)}. Use an address and a port, such as 127.0.0.1:3700.`);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** Returns the URL of the node that replays missed blocks, if any. Throws FailureError `usage`. */
function readReplayNode({ nodeUrl, nodeAuth }: FollowSettings): string | undefined {
  if (nodeAuth !== undefined && nodeUrl === undefined)
    throw stop('usage', '--node-auth needs --node-url. Name the node.');
  return nodeUrl === undefined ? undefined : readUrl('--node-url', nodeUrl, 'http://127.0.0.1:20443');
}

/** Creates a new client for each round, because a client stops using a node that was down. */
function openReplayNode(settings: FollowSettings, signal: AbortSignal): ServerClient | undefined {
  const baseUrl = readReplayNode(settings);
  const { nodeAuth } = settings;
  if (baseUrl === undefined || nodeAuth === undefined) return undefined;
  return new ServerClient({
    baseUrl,
    secretHeaders: { authorization: nodeAuth },
    keyFlag: '--node-auth',
    limits: { connectTimeoutMs: 10_000, idleTimeoutMs: 60_000, totalTimeoutMs: 300_000 },
    concurrency: 1,
    patienceMs: 0,
    signal,
  });
}

/** The time between stopping and killing a command. A publisher needs it to record the uploads in progress. */
const STOP_MS = 1_000;

/** Runs another command of the program as a separate process, and returns its exit status. */
async function runStep(command: string, args: readonly string[], { env, signal }: Context): Promise<Step> {
  const [at, start] = [new Date().toISOString(), performance.now()];
  const program = process.argv[1] as string;
  const child = spawn(process.execPath, [...process.execArgv, program, command, ...args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  using _stop = addAbortListener(signal, () => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), STOP_MS).unref();
  });
  const status = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  return { command, at, seconds: (performance.now() - start) / 1_000, status };
}
