import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openIndex } from '#store/index-database.ts';
import { cannedToken } from '../support/canned-token.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { FAULTS, type Fault, withFaults } from '../support/faults.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { randomOf } from '../support/random.ts';
import { endOf, spawnCli } from '../support/run-cli.ts';
import { okOf, runWarm } from '../support/run-warm.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';
import { ADDRESS } from '../support/transactions.ts';

const TOKENS = 10;
const IMAGES = 3;
const FAILING_SHARE = 1 / 3;
/** The faults to choose from at random. Quick faults are listed twice, so that slow ones are chosen less often. */
const SOME_FAULTS: readonly Fault[] = [...FAULTS, '500', 'reset', 'cut'];
const MAX_RUNS = 30;
const KILLS = 5;
/** The maximum number of responses after which a run is killed. */
const MAX_RESPONSES_BEFORE_KILL = 24;
const MAX_MS_BEFORE_KILL = 50;

/**
 * Opens a server for all tests of this file, so that the addresses are the same in each run. Its listener can be
 * replaced.
 */
async function openLoopback() {
  const loopback = {
    host: '',
    listener: ((_request, response) => response.writeHead(404).end()) as RequestListener,
    /** Requests whose responses were sent completely, in order. */
    completed: [] as string[],
    onResponse: () => {},
  };
  const { host } = await loopbackServer((request, response) => {
    response.once('finish', () => {
      if (response.statusCode !== 200 || response.getHeader('content-type') === 'text/html') return;
      loopback.completed.push(`${request.method} ${request.url}`);
      loopback.onResponse();
    });
    loopback.listener(request, response);
  }, afterAll);
  return Object.assign(loopback, { host });
}

const folder = tempFolderForFile();
const [web, api] = [await openLoopback(), await openLoopback()];
const servers = [api, web];
let plain: RequestListener[];
let index: string[];
let tree: Map<string, string>;

const uriOf = (token: number) => `http://${web.host}/documents/${token}.json`;
const VALUES = { symbol: 'CAN', decimals: 6, total_supply: '1000' };
const listedOf = (token: number) => ({ ...VALUES, name: `Token token-${token}`, token_uri: uriOf(token) });
const documentOf = (token: number, locale?: string) => ({
  sip: 16,
  name: `Document ${token}`,
  description: `What token ${token} is for${locale === undefined ? '' : ` (${locale})`}`,
  image: `http://${web.host}/images/${token % IMAGES}.png`,
  ...(token === 0 && {
    localization: { uri: `http://${web.host}/documents/0.{locale}.json`, default: 'en', locales: ['en', 'de'] },
  }),
});

const webListener =
  (images: readonly Buffer[]): RequestListener =>
  ({ url = '' }, response) => {
    const [, token, locale] = /^\/documents\/(\d+)(?:\.([a-z]+))?\.json$/.exec(url) ?? [];
    const image = images[Number(/^\/images\/(\d+)\.png$/.exec(url)?.[1])];
    if (token !== undefined) response.end(JSON.stringify(documentOf(Number(token), locale)));
    else response.writeHead(image === undefined ? 404 : 200).end(image);
  };

async function build(cwd: string): Promise<Map<string, string>> {
  okOf(await runWarm(['build'], { cwd }));
  return readTree(join(cwd, 'dist'));
}

/** Makes all waiting retries due now. */
async function letTimePass(cwd: string): Promise<void> {
  const store = await openIndex(join(cwd, 'data/index.sqlite'));
  await store.updateTable('job').set({ next_attempt_at: 0 }).execute();
  await store.destroy();
}

/** Returns those requests whose responses are stored in the index. */
async function storedIn(cwd: string): Promise<Set<string>> {
  const db = join(cwd, 'data/index.sqlite');
  if (!existsSync(db)) return new Set();
  const store = await openIndex(db);
  const contracts = await store.selectFrom('report').select('contract_id').execute();
  const readings = await store
    .selectFrom('reading')
    .innerJoin('token', 'token.token_id', 'reading.token_id')
    .innerJoin('deploy', 'deploy.deploy_id', 'token.deploy_id')
    .select(['contract_id', 'getter'])
    .execute();
  const documents = await store.selectFrom('document').select('uri').where('document', 'is not', null).execute();
  await store.destroy();
  return new Set([
    ...contracts.map((row) => `GET /extended/v1/contract/${row.contract_id}`),
    ...readings.map((row) => `POST /v2/contracts/call-read/${row.contract_id.replace('.', '/')}/${row.getter}`),
    ...documents.map((row) => `GET ${new URL(row.uri ?? '').pathname}`),
  ]);
}

/**
 * Starts a run. Kills it `milliseconds` after it has received this number of responses. Returns false if the run ended
 * before.
 */
async function killAfter(responses: number, milliseconds: number, cwd: string): Promise<boolean> {
  const child = spawnCli(index, { cwd });
  const ended = endOf(child);
  let left = responses;
  for (const server of servers) {
    server.onResponse = () => {
      if (--left === 0) setTimeout(() => child.kill('SIGKILL'), milliseconds);
    };
  }
  await ended;
  for (const server of servers) server.onResponse = () => {};
  return child.signalCode === 'SIGKILL';
}

beforeAll(async () => {
  const images: Buffer[] = [];
  for (let hue = 0; hue < IMAGES; hue++) {
    const background = { r: hue * 60, g: 90, b: 200 };
    images.push(
      await sharp({ create: { width: 20 + hue, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    );
  }
  const tokens = Array.from({ length: TOKENS }, (_, token) =>
    cannedToken(`token-${token}`, uriOf(token), { listed: token % 2 === 0 ? {} : listedOf(token) }),
  );
  api.listener = chainListener(chainOf(tokens));
  web.listener = webListener(images);
  plain = servers.map((server) => server.listener);
  const sources = ['--api-url', `http://${api.host}`, '--discover', 'ft'];
  index = ['index', ...sources, '--allow-host', web.host, '--idle-timeout', '1'];

  expect(await runWarm(index, { cwd: folder })).toMatchObject({ status: 0 });
  tree = await build(folder);
});

test('default', () => {
  const [first, last] = [0, TOKENS - 1].map((token) => `metadata/v1/ft/${ADDRESS}.token-${token}`);
  expect(JSON.parse(tree.get(`${last}`) ?? '')).toMatchObject({
    name: `Token token-${TOKENS - 1}`,
    description: `What token ${TOKENS - 1} is for`,
    image_uri: expect.stringMatching(/^\/images\/[0-9a-f]+\.png$/),
  });
  expect(JSON.parse(tree.get(`variants/locale/de/${first}`) ?? '')).toMatchObject({
    description: 'What token 0 is for (de)',
  });
  expect([...tree.keys()].filter((path) => /^images\/[^/]*\.png$/.test(path))).toHaveLength(IMAGES);
});

test('produces the same site if a third of all responses fail', async () => {
  const cwd = tempFolder();
  const faults = new Set<Fault>();
  for (const [seed, server] of servers.entries()) {
    const options = { share: FAILING_SHARE, seed, faults: SOME_FAULTS, slowMs: 300, retryAfterSeconds: 1 };
    server.listener = withFaults(plain[seed] as RequestListener, options, (fault) => void faults.add(fault));
  }
  let status: number | null = 75;
  for (let runs = 0; status === 75 && runs < MAX_RUNS; runs++) {
    status = (await runWarm([...index, '--wait', '1'], { cwd })).status;
    await letTimePass(cwd);
  }
  for (const [at, server] of servers.entries()) server.listener = plain[at] as RequestListener;
  expect(status).toBe(0);
  expect([...faults].sort()).toEqual([...FAULTS].sort());
  expect(await build(cwd)).toEqual(tree);
});

test('produces the same site if it is killed at any time, and does not repeat stored requests', async () => {
  const cwd = tempFolder();
  const random = randomOf(1);
  const repeated: string[] = [];
  let kills = 0;
  for (const server of servers) server.completed = [];
  for (let run = 0; run <= KILLS; run++) {
    const stored = await storedIn(cwd);
    const before = servers.map((server) => server.completed.length);
    if (run === KILLS) expect(await runWarm(index, { cwd })).toMatchObject({ status: 0 });
    else
      kills += +(await killAfter(Math.ceil(random() * MAX_RESPONSES_BEFORE_KILL), random() * MAX_MS_BEFORE_KILL, cwd));
    const requests = servers.flatMap((server, at) => server.completed.slice(before[at]));
    repeated.push(...requests.filter((request) => stored.has(request)));
  }
  expect(kills).toBeGreaterThan(0);
  expect(repeated).toEqual([]);
  expect(await build(cwd)).toEqual(tree);
});
