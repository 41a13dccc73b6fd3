// Tests `stxpress verify` with a served build: unchanged, with one changed byte, of another index, or with failures.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readIfExists } from '#files/read-if-exists.ts';
import { withFirstFaults } from '../support/faults.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { expectRefused, runWarm } from '../support/run-cli.ts';
import { buildSample, filesBelow, isResponse, PRESSER, readTree } from '../support/sample.ts';
import { serveFolder } from '../support/served-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TOKEN = `metadata/v1/ft/${PRESSER}.press-token`;
const PENDING = `errors/422/metadata/v1/ft/${PRESSER}.pending-token`;

let cwd: string;
let published: string;
let url: string;
const requests: string[] = [];

beforeEach(async () => {
  cwd = tempFolder();
  published = join(cwd, 'published');
  await buildSample(join(cwd, 'dist'));
  cpSync(join(cwd, 'dist'), published, { recursive: true });
  const served = await serveFolder(published);
  served.server.on('request', ({ url = '' }) => requests.push(url));
  requests.length = 0;
  onTestFinished(() => void served.server.close());
  url = served.base;
});

const verify = (...args: string[]) => runWarm(['verify', url, ...args], { cwd });
const verifyJson = async (...args: string[]) => {
  const { status, stdout } = await verify('--json', ...args);
  return { status, ...(JSON.parse(stdout) as { here: string; there: string; differences: { path: string }[] }) };
};
const change = (path: string, edit: (text: string) => string) => {
  const file = join(published, path);
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
};

/** Changes the hashes in the response of metadata/v1/site. */
function changeHashes(edit: (buckets: string[]) => void): void {
  change('metadata/v1/site/index.json', (text) => {
    const { buckets } = JSON.parse(text) as { buckets: string[] };
    edit(buckets);
    return JSON.stringify({ hash: 'f'.repeat(64), buckets });
  });
}

test('confirms the same site with a sample or with all responses', async () => {
  const few = await verify('--read', '5');
  expect([few.status, few.stderr]).toEqual([0, '']);
  const { site_hash: hash } = JSON.parse(readFileSync(join(published, 'metadata/v1/index.json'), 'utf8'));
  expect(few.stdout).toMatch(
    new RegExp(`^${url} is the site of dist, ${hash}: 5 of its \\d+ responses were checked\\.\n$`),
  );
  expect(requests.length).toBe(6);
  const all = await verifyJson('--all');
  const answers = filesBelow(published).filter(
    (path) => isResponse(path) && !/^metadata\/v1\/(site\/)?index\.json$|^errors\/(?!422\/.*\/.*\/S)/.test(path),
  );
  expect(all).toEqual({
    status: 0,
    here: hash,
    there: hash,
    buckets: [],
    answers: answers.length,
    read: answers.length,
    unread: 0,
    differences: [],
    more: [],
    failures: [],
  });
});

test('finds one changed byte anywhere with --all', async () => {
  change(TOKEN, (text) => text.replace('Press Token', 'Press Tokem'));
  rmSync(join(published, PENDING));
  const { status, differences, ...hashes } = await verifyJson('--all');
  expect([status, hashes.there]).toEqual([1, hashes.here]);
  expect(differences).toHaveLength(2);
  expect(differences).toContainEqual({ path: PENDING, what: 'missing' });
  expect(differences).toContainEqual({ path: TOKEN, what: 'differs' });
  expect((await verify('--all')).stdout).toContain('has the hash of dist, but other responses');
});

test('lists the responses that differ from another build with few requests', async () => {
  const other = tempFolder();
  await buildSample(join(other, 'dist'), { vm: false });
  rmSync(published, { recursive: true });
  cpSync(join(other, 'dist'), published, { recursive: true });
  const [built, served] = [readTree(join(cwd, 'dist')), readTree(published)];
  const expected = [...built].filter(
    ([path, text]) => isResponse(path) && served.get(path) !== text && !/^metadata\/v1\/(site\/)?index/.test(path),
  );
  const { status, differences } = await verifyJson('--read', '0');
  expect(status).toBe(1);
  expect(new Set(differences.map(({ path }) => path))).toEqual(new Set(expected.map(([path]) => path)));
  expect(requests.length).toBeLessThan([...built.keys()].filter(isResponse).length);
  const { stdout } = await verify();
  expect(stdout).toContain('is not the site of dist');
  expect(stdout).toMatch(/^Parts that differ: \d+ of 256\.$/m);
});

test('reports other-chain, for a site of another chain, after three requests', async () => {
  changeHashes((buckets) => buckets.reverse());
  change('metadata/v1/index.json', (text) =>
    JSON.stringify({
      ...JSON.parse(text),
      newest_contracts: [{ contract_id: 'SP000000000000000000002Q6VF78.pox', block_height: 1 }],
    }),
  );
  expectRefused(await verify(), 'serves the chain of SP000000000000000000002Q6VF78.pox, but the build has chain');
  expect(requests).toHaveLength(3);
});

test('reports a site with additional responses', async () => {
  const full = JSON.parse(readFileSync(join(published, 'metadata/v1/site/index.json'), 'utf8')) as {
    buckets: string[];
  };
  const empty = full.buckets.findIndex((bucket) => /^0+$/.test(bucket));
  changeHashes((buckets) => {
    buckets[empty] = '1234567890abcdef';
  });
  const part = empty.toString(16).padStart(2, '0');
  expect(await verifyJson()).toMatchObject({ status: 1, buckets: [part], more: [part], differences: [] });
  expect((await verify()).stdout).toContain(`have all responses of dist, but other hashes: ${part}. The site has more`);
});

test('reports a site with all responses and an earlier hash, as during a publish', async () => {
  const other = tempFolder();
  await buildSample(join(other, 'dist'), { vm: false });
  const hashFile = 'metadata/v1/site/index.json';
  cpSync(join(other, 'dist', hashFile), join(published, hashFile));
  const { status, stdout } = await verify('--all');
  expect(status).toBe(1);
  expect(stdout).toMatch(/ have all responses of dist, but other hashes: .* its hash is an earlier one/);
});

test('reports a site without a hash', async () => {
  rmSync(join(published, 'metadata/v1/site'), { recursive: true });
  const { status, stdout } = await verify();
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^It has no metadata\/v1\/site, so its hash is unknown\.\nThe hash of the build is [0-9a-f]{64}\.$/m,
  );
});

test('retries failed requests, and does not report them as differences', async () => {
  const proxy: RequestListener = (request, response) => {
    void fetch(`${url}${request.url}`).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  };
  let isDown = false;
  const faults = ['429', '500', 'reset', 'cut'] as const;
  const faulty = withFirstFaults(proxy, { every: 5, seed: 1, faults, retryAfterSeconds: 0 });
  const server = await loopbackServer((request, response) => {
    if (isDown && request.url?.startsWith('/search/')) response.writeHead(503).end();
    else faulty(request, response);
  });
  const patient = await runWarm(['verify', server.url, '--all'], { cwd });
  expect([patient.status, patient.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
  isDown = true;
  const { status, stdout } = await runWarm(['verify', server.url, '--all', '--json', '--wait', '0'], { cwd });
  const { failures, differences } = JSON.parse(stdout) as { failures: { path: string }[]; differences: unknown[] };
  expect([status, differences]).toEqual([75, []]);
  expect(failures.map(({ path }) => path)).toContain('search/tokens/index.json');
});

test('verifies a host that serves only files, without rules', async () => {
  const server = await loopbackServer(({ url: path = '' }, response) => {
    const body = readIfExists(join(published, decodeURIComponent(path)));
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  expect(await runWarm(['verify', server.url, '--all'], { cwd })).toMatchObject({ status: 0 });
  rmSync(join(published, PENDING));
  const { stdout } = await runWarm(['verify', server.url, '--all'], { cwd });
  expect(stdout).toContain(`\n  missing  ${PENDING}`);
});

test('the site cannot be reached', async () => {
  const away = await runWarm(['verify', 'http://127.0.0.1:1', '--wait', '0'], { cwd });
  expectRefused(away, '127.0.0.1:1', 75);
});

test.each([
  [301, / redirects to https:\/\/other\.example\/\S*\. Pass the new address instead\.\n$/],
  [401, / requires a key or a password/],
])('http-%i, for a server that redirects or requires a password', async (status, message) => {
  const server = await loopbackServer((request, response) =>
    response.writeHead(status, { location: `https://other.example${request.url}` }).end(),
  );
  const result = await runWarm(['verify', server.url], { cwd });
  expect(result).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(message) });
  expect(server.requests).toHaveLength(1);
});
