// Requests searches and parts of a list while builds replace the list's files one by one. The content of each response
// must come from a single build. LISTS_BUILDS sets the number of builds, and LISTS_SEED repeats a run.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CompiledQuery } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { siteOf } from '#generator/host-files.ts';
import { cloudflareR2 } from '#hosts/cloudflare.ts';
import { openBucket } from '../../support/bucket.ts';
import { cannedToken } from '../../support/canned-token.ts';
import { indexOfServers } from '../../support/index-of-servers.ts';
import { publish } from '../../support/publish-to.ts';
import { Random } from '../../support/random.ts';
import { copyIndex } from '../../support/sample.ts';
import { serveFolder } from '../../support/served-sample.ts';
import { tempFolderForFile } from '../../support/temp-folder.ts';
import { drawQuery, expectedOf, type ListQuery, shown, TOKENS } from './versions.ts';

const BUILDS = Number(process.env.LISTS_BUILDS ?? 3);
const SEED = Number(process.env.LISTS_SEED ?? 5);
const CLIENTS = 4;
const BUILDER = fileURLToPath(new URL('build-versions.ts', import.meta.url));

const folder = tempFolderForFile();
const db = join(folder, 'index.sqlite');

/** Makes an index of tokens. The builds will change the values of these tokens. */
async function makeIndex(): Promise<void> {
  const contracts = Array.from({ length: TOKENS }, (_, index) => cannedToken(`t-${String(index).padStart(3, '0')}`));
  const world = await indexOfServers(contracts);
  await world.run({ contracts: contracts.map(({ contractId }) => contractId) });
  await world.store.executeQuery(CompiledQuery.raw('pragma wal_checkpoint(truncate)'));
  copyIndex(join(world.folder, 'index.sqlite'), db);
}

/** Sends a request for the list with this query. */
type Send = (query: string) => Promise<Response>;

/**
 * Starts a process that builds on request, and builds the first version of the list. Returns a function that builds the
 * next version.
 */
async function startBuilder(name: string) {
  if (!existsSync(db)) await makeIndex();
  const out = join(folder, name, 'dist');
  mkdirSync(join(folder, name));
  const child: ChildProcess = fork(BUILDER, [copyIndex(db, join(folder, name, 'index.sqlite')), out]);
  onTestFinished(() => void child.kill());
  await once(child, 'message');
  const build = async (number: number) => {
    child.send(number);
    expect(await once(child, 'message')).toEqual([number, undefined]);
  };
  await build(0);
  return { out, build };
}

/** Sends requests while `replace` publishes one build after the other. Checks that every response matches a build. */
async function expectResponses(send: Send, replace: (build: number) => Promise<void>): Promise<void> {
  let responses = 0;
  const wrong: string[] = [];
  let [finished, begun] = [0, 0];
  const client = async (random: Random) => {
    while (finished < BUILDS) {
      const [query, from] = [drawQuery(random), finished];
      const parameters = Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]);
      const response = await send(`/metadata/v1/ft?${new URLSearchParams(parameters)}`);
      if (response.status === 503) {
        expect(response.headers.get('Retry-After')).toBe('2');
        await response.arrayBuffer();
        continue;
      }
      responses++;
      const problem = problemOf(query, await response.json(), from, begun);
      if (problem !== undefined) wrong.push(problem);
    }
  };
  const building = async () => {
    while (finished < BUILDS) {
      begun++;
      await replace(begun);
      finished = begun;
    }
  };
  await Promise.all([building(), ...Array.from({ length: CLIENTS }, (_, index) => client(new Random(SEED + index)))]);
  expect(wrong).toEqual([]);
  expect(responses).toBeGreaterThan(BUILDS);
}

/**
 * Describes a response that matches none of the builds `from` to `to`, which were complete or in progress during the
 * request.
 */
function problemOf(query: ListQuery, body: unknown, from: number, to: number): string | undefined {
  const { total, results } = body as { total: number; results: Parameters<typeof shown>[1] };
  const response = shown(total, results);
  const builds = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return builds.some((build) => expectedOf(query, build) === response)
    ? undefined
    : `${JSON.stringify(query)} in builds ${from} to ${to} (seed ${SEED}): ${response}`;
}

/**
 * Loads the Cloudflare Worker that the host adapter generates, with these bindings. Returns a function that sends
 * requests to it.
 */
async function workerWith(bindings: object): Promise<Send> {
  const at = join(folder, `worker-${Math.random()}`);
  mkdirSync(at);
  writeFileSync(join(at, 'package.json'), '{"type":"module"}');
  for (const { where, path, text } of cloudflareR2.files(siteOf(folder)))
    if (where === 'outside') writeFileSync(join(at, path), text);
  const { default: worker } = await import(/* @vite-ignore */ pathToFileURL(join(at, 'worker.js')).href);
  return (query) => worker.fetch(new Request(`https://site.example${query}`), bindings);
}

describe('a list while builds replace its files', { timeout: 120_000 + 5_000 * BUILDS }, () => {
  test('serves each response from a single build with the local server', async () => {
    const { out, build } = await startBuilder('server');
    const { server, base, errors } = await serveFolder(out);
    onTestFinished(() => void server.close());
    await expectResponses((query) => fetch(`${base}${query}`), build);
    expect(errors).toEqual([]);
  });

  test('serves each response from a single build with the Worker and assets', async () => {
    const { out, build } = await startBuilder('assets');
    const ASSETS = {
      fetch: async ({ url }: Request) => {
        const path = decodeURIComponent(new URL(url).pathname);
        await new Promise(setImmediate);
        try {
          return new Response(new Uint8Array(readFileSync(join(out, path))));
        } catch {
          return new Response(null, { status: 404 });
        }
      },
    };
    await expectResponses(await workerWith({ ASSETS }), build);
  });

  test('serves each response from a single build with the Worker and a bucket', async () => {
    const { out, build } = await startBuilder('bucket');
    const [bucket, random] = [await openBucket(), new Random(SEED)];
    // Delays some uploads, so that the objects of a publishing phase are replaced in arbitrary order.
    bucket.fault = () => (random.chance(0.3) ? 'slow' : undefined);
    await publish(out, bucket);
    const SITE = {
      get: async (key: string) => {
        const body = bucket.objects.get(key)?.body;
        await new Promise(setImmediate);
        return body === undefined ? null : { body: new Response(new Uint8Array(body)).body, httpEtag: '"etag"' };
      },
    };
    await expectResponses(await workerWith({ SITE }), async (number) => {
      await build(number);
      await publish(out, bucket);
    });
  });
});
