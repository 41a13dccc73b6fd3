// Publishes a site to an S3 server, and checks the contents, types and caching of the files that common S3 clients read
// back.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { siteOf } from '#generator/host-files.ts';
import { HOSTS } from '#hosts/all.ts';
import { objectHeaders } from '#serving/handle-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { runCli } from '../support/run-cli.ts';
import { filesBelow, readTree } from '../support/sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { findProgram } from './servers/find-program.ts';
import { freePort } from './servers/free-port.ts';
import { loadPackage } from './servers/load-package.ts';
import { indexSite } from './site.ts';

interface S3rver {
  configureBuckets(): Promise<unknown>;
  listen(port: number, host: string): Promise<Server>;
  close(callback: () => void): void;
}
type S3rverClass = new (options: object) => S3rver;

/** The only credentials that s3rver accepts. It verifies signatures. */
const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_DEFAULT_REGION: 'us-east-1' };
const BUCKET = 'tokens';
/** The objects whose headers this test checks. They have several types, and are in several folders. */
const CHECKED_PATHS = ['index.html', 'explorer/app.js', 'explorer/app.css', 'openapi.json', 'metadata/v1/index.json'];

const folder = tempFolderForFile();
const servers: S3rver[] = [];
let endpoint: string;
let uncheckedEndpoint: string;
let dist: string;

/**
 * Starts a server for the bucket, which all servers share. If `checksSignatures` is false, it accepts wrong signatures.
 */
const openBucket = async (checksSignatures: boolean) => {
  const port = await freePort();
  const server = new (loadPackage<S3rverClass>('@20minutes/s3rver'))({
    silent: true,
    directory: join(folder, 'bucket'),
    allowMismatchedSignatures: !checksSignatures,
    configureBuckets: [{ name: BUCKET }],
  });
  await server.configureBuckets();
  await server.listen(port, '127.0.0.1');
  servers.push(server);
  return `http://127.0.0.1:${port}`;
};

const publish = (...more: string[]) =>
  runCli(['publish', '--out', dist, '--to', `s3://${BUCKET}/below`, '--endpoint', endpoint, ...more], {
    cwd: folder,
    env: KEYS,
  });
/** Runs a program and returns its output. Does not block, since this process also runs the S3 server. */
const run = async (program: string, args: readonly string[], env: Record<string, string> = {}) => {
  const { stdout } = await promisify(execFile)(findProgram(program), args, {
    // Sets HOME to the test folder, so that the programs ignore this machine's settings.
    env: { PATH: process.env.PATH, HOME: folder, ...KEYS, ...env },
    timeout: 60_000,
  });
  return stdout;
};
/** Checks that the folder `copied`, which a client wrote, contains the complete build. */
const expectBuild = (copied: string) => {
  const tree = readTree(dist);
  const got = readTree(copied);
  expect(filesBelow(copied).filter((path) => !tree.has(path))).toEqual([]);
  for (const [path, text] of tree) expect([path, got.get(path)]).toEqual([path, text]);
};

beforeAll(async () => {
  await indexSite(folder);
  dist = join(folder, 'dist');
  const built = await runCli(['build', '--db', 'index.sqlite', '--out', dist, '--hosts', 'nginx'], { cwd: folder });
  expect(built).toMatchObject({ status: 0 });
  endpoint = await openBucket(true);
  // s3cmd signs the path of a bucket without the slash at its end, so s3rver rejects its signatures.
  uncheckedEndpoint = await openBucket(false);
  expect(await publish()).toMatchObject({ status: 0 });
  // This build changes some files of the first build and removes others.
  const second = await runCli(['build', '--db', 'index.sqlite', '--out', dist, '--only', 'tokens'], { cwd: folder });
  expect(second).toMatchObject({ status: 0 });
  expect(await publish('--replace')).toMatchObject({ status: 0 });
});
afterAll(() => {
  for (const server of servers) server.close(() => {});
});

test('publishes a site that awscli reads', async () => {
  const to = join(folder, 'aws');
  await run('aws', ['--endpoint-url', endpoint, 's3', 'cp', '--recursive', '--quiet', `s3://${BUCKET}/below`, to]);
  expectBuild(to);
  for (const path of CHECKED_PATHS) {
    const head = ['s3api', 'head-object', '--bucket', BUCKET, '--key', `below/${path}`];
    const output = await run('aws', ['--endpoint-url', endpoint, ...head]);
    const { ContentType, CacheControl } = JSON.parse(output) as Record<string, string>;
    expect({ 'Content-Type': ContentType, 'Cache-Control': CacheControl }).toEqual(objectHeaders(path, SITE_RULES));
  }
});

test('publishes a site that s3cmd reads', async () => {
  const to = join(folder, 's3cmd');
  const config = join(folder, 's3cfg');
  const host = uncheckedEndpoint.replace('http://', '');
  writeFileSync(
    config,
    `[default]\naccess_key = S3RVER\nsecret_key = S3RVER\nhost_base = ${host}\nhost_bucket = ${host}
use_https = False\n`,
  );
  await run('s3cmd', ['-c', config, 'sync', '--quiet', `s3://${BUCKET}/below/`, `${to}/`]);
  expectBuild(to);
});

test('publishes a site that rclone reads', async () => {
  const to = join(folder, 'rclone');
  const env = {
    RCLONE_CONFIG_SITE_TYPE: 's3',
    RCLONE_CONFIG_SITE_PROVIDER: 'Other',
    RCLONE_CONFIG_SITE_ENV_AUTH: 'true',
    RCLONE_CONFIG_SITE_ENDPOINT: endpoint,
    RCLONE_CONFIG_SITE_FORCE_PATH_STYLE: 'true',
  };
  await run('rclone', ['copy', '--quiet', '--fast-list', `site:${BUCKET}/below`, to], env);
  expectBuild(to);
});

test('Lambda@Edge reads the bucket with the signature of its role', async () => {
  const program = HOSTS.flatMap((host) => host.files(siteOf(dist))).find(({ path }) => path === 'origin-request.mjs');
  const file = join(folder, 'origin-request.mjs');
  writeFileSync(file, program?.text ?? '');
  // The path includes the bucket, since s3rver accepts signatures only for such paths.
  const origin = { s3: { domainName: endpoint.replace('http://', ''), path: `/${BUCKET}/below` } };
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.AWS_ACCESS_KEY_ID).stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.AWS_SECRET_ACCESS_KEY);
  const originalFetch = globalThis.fetch;
  vi.stubGlobal('fetch', (input: Request) => {
    const { url, method, headers } = new Request(input);
    return originalFetch(url.replace('https://', 'http://'), { method, headers });
  });
  try {
    const { handler } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      handler(event: object): Promise<{ readonly uri?: string; readonly status?: string; readonly body?: string }>;
    };
    const request = (uri: string, querystring = '') => {
      return handler({ Records: [{ cf: { request: { method: 'GET', uri, querystring, origin } } }] });
    };
    expect(await request('/metadata/ft')).toMatchObject({ uri: '/metadata/v1/ft/index.json' });
    const slice = await request('/metadata/v1/ft', 'limit=3&offset=25');
    expect([slice.status, JSON.parse(slice.body ?? '')]).toMatchObject(['200', { results: [{}, {}, {}] }]);
    expect((await request('/metadata/v1/ft/SP000000000000000000002Q6VF78.nothing')).status).toBe('404');
  } finally {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  }
});
