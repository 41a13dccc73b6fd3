import type { ServerResponse } from 'node:http';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { countFailures, countTokenStates } from '#store/status/counts.ts';
import { countJobs } from '#store/work/jobs.ts';
import { LIMITS } from '../../support/http-limits.ts';
import { indexOfUris, json } from '../../support/index-of-servers.ts';
import { ADDRESS } from '../../support/transactions.ts';

const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const TX = 'Sgmyo7nUqPpVQWUfK72p5yIpd85QQbhGaWAF-I8L6yE';

test('SIP-010, Token URI: prefers the name on the chain, and fetches a document once', async () => {
  const world = await indexOfUris(
    (base) => [`${base}/{id}.json`, `ipfs://${CID}/meta.json`, `ar://${TX}/meta.json`],
    (request, response) => json(response, { name: request.url, description: 'of the web' }),
  );
  expect(world.answer(await world.build(), 'token-0')).toEqual({ error: 'Token metadata fetch in progress' });
  expect(await world.run()).toMatchObject({ fetched: 3, fetchesFailed: 0, leftToDo: false });
  const tree = await world.build();
  expect(world.answer(tree, 'token-0')).toMatchObject({
    name: 'On chain',
    description: 'of the web',
    metadata: { name: '/1.json' },
  });
  // The first gateway is down, so the response of the second gateway is used.
  expect(world.answer(tree, 'token-1')).toMatchObject({ metadata: { name: `/gateway/ipfs/${CID}/meta.json` } });
  expect(world.answer(tree, 'token-2')).toMatchObject({ metadata: { name: `/arweave/${TX}/meta.json` } });
  // A later run does not fetch stored documents again.
  const before = world.requests.length;
  await world.run();
  expect(world.requests).toHaveLength(before);
});

test('takes documents and images from the next gateway if one sends garbage', async () => {
  const image = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const world = await indexOfUris(
    () => [`ipfs://${CID}/meta.json`],
    (request, response) => {
      if (!request.url?.startsWith('/good')) response.end('<!DOCTYPE html><p>Too many requests</p>');
      else if (request.url.endsWith('.png')) response.end(image);
      else json(response, { name: 'Good', image: `ipfs://${CID}/1.png` });
    },
    { gatewayPaths: ['/bad', '/good'] },
  );
  expect(await world.run()).toMatchObject({
    fetched: 1,
    fetchesFailed: 0,
    images: 1,
    imagesFailed: 0,
    leftToDo: false,
  });
  expect(world.answer(await world.build(), 'token-0')).toMatchObject({ metadata: { name: 'Good' } });
  expect(world.requests).toEqual(
    ['meta.json', '1.png'].flatMap((file) => ['bad', 'good'].map((gateway) => `/${gateway}/ipfs/${CID}/${file}`)),
  );
});

test('keeps the token if its document fails, and reports the reason', async () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    '/missing': (response) => response.writeHead(404).end(),
    '/html': (response) => response.end('<!DOCTYPE html><p>Not here</p>'),
    '/list': (response) => response.end('[]'),
    '/text': (response) => response.end('hello'),
    '/empty': (response) => response.end(''),
    '/large': (response) => response.end('x'.repeat(10_001)),
  };
  const paths = Object.keys(answers);
  const retried = ['/html', '/text', '/empty'];
  const world = await indexOfUris(
    (base) => [...paths.map((path) => base + path), 'http://169.254.169.254/latest', 'https://example.org:22/x'],
    (request, response) => answers[request.url ?? '']?.(response),
  );
  expect(await world.run()).toMatchObject({ fetched: 0, fetchesFailed: 8, leftToDo: true });
  // These failures are final only after four attempts, since error pages and truncated files may be temporary.
  expect(await countJobs(world.store)).toMatchObject({ 'fetch-document': retried.length });
  expect(await world.runToEnd()).toMatchObject({ fetched: 0, fetchesFailed: 3 * retried.length });
  const again = [...retried, ...retried, ...retried];
  expect(world.requests.toSorted()).toEqual([...paths, ...again].toSorted());
  expect(await countTokenStates(world.store)).toMatchObject({ partial: 8, queued: 0 });
  expect(await countFailures(world.store, ['token', 'reading', 'document'])).toEqual({
    'address-refused': 1,
    'empty-document': 1,
    'html-page': 1,
    'http-404': 1,
    'not-an-object': 1,
    'not-json': 1,
    'port-refused': 1,
    'too-large': 1,
  });
  const answer = world.answer(await world.build(), 'token-0');
  expect(answer).toMatchObject({ name: 'On chain' });
  expect(answer).not.toHaveProperty('metadata');
});

test('SIP-016, Localization: fetches locales, and a failure affects only its locale', async () => {
  const world = await indexOfUris(
    (base) => [`${base}/default`],
    (request, response) => {
      if (request.url === '/default') {
        json(response, {
          name: 'Default',
          localization: {
            uri: `http://${request.headers.host}/l/{locale}`,
            default: 'en',
            locales: ['en', 'de', 'fr'],
          },
        });
      } else if (request.url === '/l/de') json(response, { name: 'Deutsch' });
      else response.writeHead(404).end();
    },
  );
  expect(await world.run()).toMatchObject({ fetched: 2, fetchesFailed: 1 });
  const tree = await world.build();
  const variant = (locale: string) =>
    JSON.parse(tree.get(`variants/locale/${locale}/metadata/v1/ft/${ADDRESS}.token-0`) ?? 'null') as {
      metadata: object;
    };
  expect(['en', 'de', 'fr'].map((locale) => variant(locale).metadata)).toMatchObject([
    { name: 'Default' },
    { name: 'Deutsch' },
    { name: 'Default' },
  ]);
  expect(world.requests).not.toContain('/l/en');
});

test('retries a busy server in the same run', async () => {
  let turn = 0;
  const world = await indexOfUris(
    (base) => [`${base}/a`],
    (_, response) =>
      turn++ === 0 ? response.writeHead(503, { 'Retry-After': '1' }).end() : json(response, { name: 'Late' }),
    { patienceMs: 3_000 },
  );
  expect(await world.run()).toMatchObject({ fetched: 1, fetchesFailed: 1, leftToDo: false });
  expect(world.answer(await world.build(), 'token-0')).toMatchObject({ metadata: { name: 'Late' } });
});

test('pauses all requests to a host for the hour that it requests, and leaves its jobs queued', async () => {
  const world = await indexOfUris(
    (base) => Array.from({ length: 12 }, (_, index) => `${base}/${index}`),
    (_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end(),
  );
  expect(await world.run()).toMatchObject({ fetched: 0, leftToDo: true });
  // Sent only the requests that were already in flight when the host asked for the pause.
  expect(world.requests.length).toBeLessThanOrEqual(4);
  expect(await countJobs(world.store)).toMatchObject({ 'fetch-document': 12 });
  const before = world.requests.length;
  await world.run();
  expect(world.requests).toHaveLength(before);
});

test('limits the timeouts at a silent host, and retries its tokens in later runs', async () => {
  const silent = 40;
  const world = await indexOfUris(
    (base) => [...Array.from({ length: silent }, (_, index) => `${base}/silent/${index}`), `ipfs://${CID}/a`],
    (request, response) => {
      if (!request.url?.startsWith('/silent')) json(response, { name: 'Honest' });
    },
    { limits: { ...LIMITS, totalTimeoutMs: 1_000 } },
  );
  expect(await world.run()).toMatchObject({ fetched: 1, fetchesFailed: silent, leftToDo: true });
  // After three timeouts of parallel requests, the run sends requests one by one, and postpones the other jobs.
  expect(world.requests.length).toBeLessThan(silent / 2);
  expect(await countTokenStates(world.store)).toMatchObject({ partial: silent, queued: 0, complete: 1 });
  expect(await countFailures(world.store, ['document'])).toEqual({ timeout: silent });
  const jobs = await world.store.selectFrom('job').select(['attempts', 'next_attempt_at']).execute();
  expect(jobs.map(({ attempts }) => attempts)).toEqual(Array(silent).fill(1));
  // The delay of the retries is longer than this run.
  expect(Math.min(...jobs.map((job) => job.next_attempt_at)) - Date.now()).toBeGreaterThan(25_000);
});
