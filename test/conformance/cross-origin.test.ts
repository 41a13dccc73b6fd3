// Reads the site of each host from a page of another origin in Chromium, as wallets and DuckDB do. The page has
// `Cross-Origin-Embedder-Policy: require-corp`.
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PNG } from '../support/picture.ts';
import { PRESSER } from '../support/sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { MISSING } from './list-requests.ts';
import { SERVERS } from './servers/all.ts';
import { findProgram } from './servers/find-program.ts';
import type { BuiltSite } from './servers/running-host.ts';
import { buildSite, IMAGE, indexSite, PATHS } from './site.ts';

const TABLE = 'dump/values.parquet';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-sync'];

/** The servers that support ranges. */
const RANGES = ['stxpress-serve', 'serve'];

/** Runs in the page. Returns what the page can show and read. */
const READ = `async ({ site, image, table, paths }) => {
  const show = (url) => new Promise((resolve) => {
    const picture = new Image();
    picture.onload = () => resolve(picture.naturalWidth > 0);
    picture.onerror = () => resolve(false);
    picture.src = url;
  });
  const read = async (path, names, options = {}) => {
    const response = await fetch(site + path, { cache: 'no-store', ...options }).catch(() => undefined);
    if (response === undefined) return 'blocked';
    await response.arrayBuffer();
    return [response.status, ...names.map((name) => response.headers.get(name))];
  };
  return {
    isolated: crossOriginIsolated,
    image: await show(site + image),
    size: await read(table, ['Content-Length'], { method: 'HEAD' }),
    range: await read(table, ['Content-Range'], { headers: { Range: 'bytes=0-3' } }),
    tag: (await read(paths.token, ['ETag'])).map((value) => typeof value),
    conditional: await read(paths.token, [], { headers: { 'If-None-Match': '"other"', Range: 'bytes=0-3,5-6' } }),
    errors: await Promise.all([paths.missing, paths.pending].map((path) => read(path, []))),
  };
}`;

const folder = tempFolderForFile();
let site: BuiltSite;
let browser: Browser;
const foreign = createServer((_, response) => {
  const isolation = { 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Opener-Policy': 'same-origin' };
  response.writeHead(200, { 'Content-Type': 'text/html', ...isolation }).end('<!doctype html>');
});

beforeAll(async () => {
  chmodSync(folder, 0o755);
  await indexSite(folder);
  site = await buildSite(folder);
  writeFileSync(join(site.dist, IMAGE), PNG);
  browser = await chromium.launch({ executablePath: findProgram('chromium'), args: ARGS });
  await new Promise<void>((resolve) => {
    foreign.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  await browser.close();
  foreign.close();
});

test.each(SERVERS.map((server) => [server.name, server] as const))('%s', async (name, server) => {
  const host = await server.start(site);
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`);
    const paths = {
      token: PATHS.PRESS,
      missing: `${PATHS.FT}/${MISSING}`,
      pending: `${PATHS.FT}/${PRESSER}.pending-token`,
    };
    const args = { site: host.origin, image: `/${IMAGE}`, table: `/${TABLE}`, paths };
    const size = statSync(join(site.dist, TABLE)).size;
    expect(await page.evaluate(`(${READ})(${JSON.stringify(args)})`)).toEqual({
      isolated: true,
      image: true,
      // The assets of a Worker have no size.
      size: [200, name === 'cloudflare' ? null : String(size)],
      range: RANGES.includes(name) ? [206, `bytes 0-3/${size}`] : [200, null],
      tag: ['number', 'string'],
      // `serve` does not respond to preflights.
      conditional: name === 'serve' ? 'blocked' : [200],
      errors: [[404], [name === 'serve' ? 404 : 422]],
    });
  } finally {
    await page.close();
    await host.stop();
  }
});
