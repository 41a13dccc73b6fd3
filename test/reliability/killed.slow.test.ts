// Kills commands at random times. A last run without kills must give the same bytes as a run that was never killed.
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { spoolFiles } from '#follow/spool.ts';
import { openIndex } from '#store/index-database.ts';
import { openBucket, treeOf as publishedIn } from '../support/bucket.ts';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { withFaults } from '../support/faults.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { metricOf } from '../support/metrics.ts';
import { Random } from '../support/random.ts';
import { okOf, post, runCli, runWarm, startFollow } from '../support/run-cli.ts';
import { siteOf } from '../support/seeds.ts';
import { limitOf, rounds, SEED } from '../support/soak.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';
import { addressOn, blockJson, blockLine, deployJson, mintEvent } from '../support/transactions.ts';
import { treeOf } from './crash/site-state.ts';

const KILLS = 3;
const BLOCKS = 6_000;
const INDEX = ['index', '--no-vm', '--offline', '--quiet', '--final-blocks', '1000'];
const KEYS = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET' };

/** A command in a folder that was prepared for it. */
interface Prepared {
  /** Runs the command to its end, or kills it after this time. */
  readonly run: (killAfterMs?: number) => Promise<void>;
  /** Reads what the command has made. */
  readonly made: () => Promise<ReadonlyMap<string, string>>;
}

const world = tempFolderForFile();
const archive = join(world, 'chain.tsv');

// Makes an archive whose lower blocks are final, with a contract in every 20th block, and its index, seed and build.
beforeAll(async () => {
  const lines = Array.from({ length: BLOCKS }, (_, index) => {
    const height = index + 1;
    const source = `(define-constant text "${'x'.repeat(2_000)}") ;; ${height}`;
    const transactions = height % 20 === 1 ? [deployJson(`c${height}`, source, { nonce: height })] : [];
    return blockLine({ id: height, parent: index, height, burnHeight: 900_000 + height, transactions }, 'raw');
  });
  writeFileSync(archive, lines.join(''));
  const commands = [[...INDEX, '--archive', archive], ['seed', '--archive', archive, '--out', 'seed'], ['build']];
  for (const args of commands) okOf(await runWarm(args, { cwd: world }));
}, limitOf(10));

/** Prepares a command that needs these parts of the world. */
function command(
  cwd: string,
  parts: readonly string[],
  args: readonly string[],
  made: (cwd: string) => Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string>,
): Prepared {
  for (const part of parts) cpSync(join(world, part), join(cwd, part), { recursive: true });
  const run = async (killAfterMs?: number) => {
    if (killAfterMs !== undefined) await runCli(args, { cwd, env: KEYS, killAfterMs });
    else okOf(await runCli(args, { cwd, env: KEYS }));
  };
  return { run, made: async () => made(cwd) };
}

const siteIn = (cwd: string) => siteOf(join(cwd, 'data/index.sqlite'));

async function publishing(cwd: string): Promise<Prepared> {
  const bucket = await openBucket();
  return command(cwd, ['data', 'dist'], ['publish', '--to', 's3://site', '--endpoint', bucket.url, '--quiet'], () =>
    publishedIn(bucket),
  );
}

const PAYLOADS = 40;

/** Returns blocks of contracts and supplies. One block in ten competes with the previous one. */
function payloads(random: Random): string[] {
  let [height, nonce] = [0, 0];
  const chain = { chainId: 0x53545850, clarityVersion: 2, interface: TOKEN_INTERFACE };
  return Array.from({ length: PAYLOADS }, (_, index) => {
    const forks = index > 1 && random.chance(0.1);
    if (!forks) height++;
    const transactions = Array.from({ length: random.within(1, 4) }, () =>
      deployJson(`contract-${nonce}`, `(define-constant n u${nonce})`, { ...chain, nonce: nonce++ }),
    );
    // The contract of this token may be missing on this branch.
    const minted = `${addressOn(chain.chainId)}.contract-${random.below(nonce)}::coin`;
    const events = [mintEvent(transactions[0]?.txid, minted, String(random.within(1, 100)))];
    return JSON.stringify(blockJson({ id: index + 1, parent: index - +forks, height, transactions, events }));
  });
}

/** Follows a node, and publishes to a bucket with faults. A killed follower receives a quarter of the payloads. */
async function following(cwd: string): Promise<Prepared> {
  const [random, bucket, bodies] = [new Random(SEED), await openBucket(), payloads(new Random(SEED))];
  bucket.fault = () => (random.chance(0.05) ? random.pick(['busy', 'cut', 'lost', 'slow'] as const) : undefined);
  const env = { ...KEYS, STXPRESS_ENDPOINT: bucket.url, STXPRESS_NO_VM: '1', STXPRESS_OFFLINE: '1' };
  let received = 0;
  const run = async (killAfterMs?: number) => {
    const { child, url } = await startFollow(cwd, ['--publish', 's3://site'], env);
    const closed = once(child, 'exit');
    const kill = async () => {
      await delay(Math.min(killAfterMs ?? 0, 3_000));
      // Kills the follower and its commands, or only the follower: then its commands continue.
      if (random.chance(0.5)) process.kill(-(child.pid as number), 'SIGKILL');
      else child.kill('SIGKILL');
    };
    const killed = killAfterMs === undefined ? undefined : kill();
    const last = killed === undefined ? PAYLOADS : received + PAYLOADS / (KILLS + 1);
    const send = (body = '') => post(url, { path: '/new_block', body });
    // A restarted node sends its last payload again.
    if (received > 0) await send(bodies[received - 1]);
    for (; received < last && (await send(bodies[received])); received++) await delay(random.within(0, 40));
    await killed;
    if (killed === undefined) {
      expect(received).toBe(PAYLOADS);
      const published = async () => (await metricOf(url, 'stxpress_step_status{step="publish"}')) === '0';
      await vi.waitUntil(published, { timeout: 120_000, interval: 100 });
      child.kill('SIGTERM');
    }
    expect(await closed).toEqual(killed === undefined ? [0, null] : [null, 'SIGKILL']);
  };
  const made = async () => {
    const files = spoolFiles(join(cwd, 'data/spool')).map((name) => join(cwd, 'data/spool', name));
    const spooled = files.map((path) =>
      (path.endsWith('.zst') ? zstdDecompressSync(readFileSync(path)) : readFileSync(path)).toString(),
    );
    const stored = new Set(spooled.flatMap((text) => text.split('\n').map((line) => line.split('\t')[3])));
    expect(bodies.filter((body) => !stored.has(body))).toEqual([]);
    bucket.fault = () => undefined;
    const archives = files.flatMap((path) => ['--archive', path]);
    for (const args of [['index', ...archives], ['build'], ['publish', '--to', 's3://site']]) {
      // A command of a killed follower may still run and hold its lock.
      const ended = async () => (await runWarm(args, { cwd, env })).status !== 75;
      await vi.waitUntil(ended, { timeout: 120_000, interval: 100 });
      okOf(await runWarm(args, { cwd, env }));
    }
    return publishedIn(bucket);
  };
  return { run, made };
}

const TOKENS = 10;
const COLOURS = ['red', 'green', 'blue'];
/** Requests whose responses the server has sent completely, in order. */
let completed: string[] = [];
let isFaulty = true;
let web: RequestListener;
const { host } = await loopbackServer((request, response) => web(request, response), afterAll);

/** Serves tokens as an API, and their documents and images. */
function webListener(): RequestListener {
  const uriOf = (token: number) => `http://${host}/documents/${token}.json`;
  const listedOf = (token: number) => ({
    ...{ symbol: 'CAN', decimals: 6, total_supply: '1000' },
    ...{ name: `Token token-${token}`, token_uri: uriOf(token) },
  });
  const tokens = Array.from({ length: TOKENS }, (_, token) =>
    cannedToken(`token-${token}`, uriOf(token), { listed: token % 2 === 0 ? {} : listedOf(token) }),
  );
  const api = chainListener(chainOf(tokens));
  const plain: RequestListener = (request, response) => {
    const [, token, locale] = /^\/documents\/(\d+)(?:\.(\w+))?\.json$/.exec(request.url ?? '') ?? [];
    const [, colour] = /^\/images\/(\w+)\.svg$/.exec(request.url ?? '') ?? [];
    const localization = { uri: `http://${host}/documents/0.{locale}.json`, default: 'en', locales: ['en', 'de'] };
    if (colour !== undefined)
      response.end(`<svg xmlns='http://www.w3.org/2000/svg'><circle r='99' fill='${colour}'/></svg>`);
    else if (token === undefined) api(request, response);
    else
      response.end(
        JSON.stringify({
          sip: 16,
          name: `Document ${token}`,
          description: `About ${token} ${locale ?? ''}`,
          image: `http://${host}/images/${COLOURS[Number(token) % COLOURS.length]}.svg`,
          ...(token === '0' ? { localization } : {}),
        }),
      );
  };
  const faulty = withFaults(plain, { share: 1 / 4, seed: SEED, slowMs: 300 });
  return (request, response) => {
    response.once('finish', () => {
      const isWhole = response.statusCode === 200 && response.getHeader('content-type') !== 'text/html';
      if (isWhole) completed.push(`${request.method} ${request.url}`);
    });
    (isFaulty ? faulty : plain)(request, response);
  };
}

/** Returns those requests whose responses are stored in the index. */
async function storedIn(cwd: string): Promise<Set<string>> {
  const db = join(cwd, 'data/index.sqlite');
  if (!existsSync(db)) return new Set();
  await using store = await openIndex(db);
  const contracts = await store.selectFrom('report').select('contract_id').execute();
  const readings = await store
    .selectFrom('reading')
    .innerJoin('token', 'token.token_id', 'reading.token_id')
    .innerJoin('deploy', 'deploy.deploy_id', 'token.deploy_id')
    .select(['contract_id', 'getter'])
    .execute();
  const documents = await store.selectFrom('document').select('uri').where('document', 'is not', null).execute();
  // Makes all waiting retries due now.
  await store.updateTable('job').set({ next_attempt_at: 0 }).execute();
  return new Set([
    ...contracts.map((row) => `GET /extended/v1/contract/${row.contract_id}`),
    ...readings.map((row) => `POST /v2/contracts/call-read/${row.contract_id.replace('.', '/')}/${row.getter}`),
    ...documents.map((row) => `GET ${new URL(row.uri ?? '').pathname}`),
  ]);
}

/**
 * Indexes tokens of an API with documents and images. A killed run does not repeat requests whose responses are stored.
 * In other runs, a quarter of the responses fail.
 */
async function reading(cwd: string): Promise<Prepared> {
  web ??= webListener();
  const args = ['index', '--api-url', `http://${host}`, '--discover', 'ft', '--allow-host', host, '--wait', '1'];
  const run = async (killAfterMs?: number) => {
    [completed, isFaulty] = [[], killAfterMs === undefined];
    const stored = await storedIn(cwd);
    if (killAfterMs !== undefined) {
      await runCli(args, { cwd, killAfterMs });
      expect(completed.filter((request) => stored.has(request))).toEqual([]);
      return;
    }
    let status: number | null = 75;
    for (let runs = 0; status === 75 && runs < 30; runs++) {
      ({ status } = await runWarm(args, { cwd }));
      await storedIn(cwd);
    }
    expect(status).toBe(0);
  };
  const made = async () => {
    okOf(await runWarm(['build'], { cwd }));
    const tree = treeOf(join(cwd, 'dist'));
    expect([...tree.keys()].filter((path) => /^images\/[^/]*\.png$/.test(path))).toHaveLength(COLOURS.length);
    expect([...tree.values()].filter((text) => text.includes('"About 0 de"')).length).toBeGreaterThan(0);
    return tree;
  };
  return { run, made };
}

test.each<[command: string, prepare: (cwd: string) => Prepared | Promise<Prepared>]>([
  ['index --archive', (cwd) => command(cwd, [], [...INDEX, '--archive', archive], siteIn)],
  ['index --seed', (cwd) => command(cwd, ['seed'], [...INDEX, '--seed', 'seed'], siteIn)],
  ['index --api-url', reading],
  [
    'seed',
    (cwd) =>
      command(cwd, ['data'], ['seed', '--archive', archive, '--out', 'made', '--quiet'], () =>
        treeOf(join(cwd, 'made')),
      ),
  ],
  ['build', (cwd) => command(cwd, ['data'], ['build', '--quiet'], () => treeOf(join(cwd, 'dist')))],
  ['publish', publishing],
  ['follow --publish', following],
])('%s gives the same bytes after kills', { timeout: limitOf(20) }, async (_, prepare) => {
  const whole = await prepare(tempFolder());
  const start = performance.now();
  await whole.run();
  const wholeMs = performance.now() - start;
  const expected = await whole.made();
  expect(expected.size).toBeGreaterThan(0);
  for (const seed of rounds(1)) {
    const random = new Random(seed);
    const killed = await prepare(tempFolder());
    for (let kills = 0; kills < KILLS; kills++) await killed.run(random.within(wholeMs >> 3, Math.ceil(wholeMs)));
    await killed.run();
    expect(await killed.made(), `SEED=${seed}`).toEqual(expected);
  }
});
