// Programs at the edge while the storage of the files fails: a fault is never a missing file.
import { writeFileSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { s3CloudFront } from '#hosts/s3-cloudfront.ts';
import { siteOf } from '#press/host-files.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const folder = tempFolderForFile();
const TOKEN = '/metadata/v1/ft/SP000000000000000000002Q6VF78.token';
const NOT_THERE = '/errors/404/metadata/v1/ft.json';
const SITE = siteOf(join(folder, 'dist'), []);

interface Worker {
  readonly default: { fetch(request: Request, environment: object, context: object): Promise<Response> };
}

async function load<Module>(name: string, text: string): Promise<Module> {
  const file = join(folder, name);
  writeFileSync(file, text);
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Module;
}

let worker: Worker;
let assets: Server;
let respond: (path: string, response: ServerResponse) => void;

beforeAll(async () => {
  worker = await load<Worker>('worker.mjs', SITE.program('cloudflare-worker', SITE_RULES));
  assets = createServer((request, response) => respond(request.url ?? '', response));
  await new Promise<void>((resolve) => assets.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  assets.close();
  assets.closeAllConnections();
});

/** The response of the Worker, whose assets a server on this machine has, and the errors in its log. */
async function ask(path: string) {
  const errors: unknown[] = [];
  const { port } = assets.address() as AddressInfo;
  const environment = {
    ASSETS: { fetch: ({ url }: Request) => fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`) },
  };
  const context = { waitUntil: (work: Promise<unknown>) => work.catch((error: unknown) => errors.push(error)) };
  const response = await worker.default.fetch(new Request(`https://site.example${path}`), environment, context);
  return { response, body: await response.text(), errors };
}

const status = (code: number) => (_: string, response: ServerResponse) => void response.writeHead(code).end('fault');

test.each([500, 503, 429, 403, 400])('cloudflare: %i of the assets is 503', async (code) => {
  respond = status(code);
  for (const path of [TOKEN, `${TOKEN}?locale=de`, '/metadata/v1/ft?limit=7', '/images/x.png', '/nothing']) {
    const { response, body, errors } = await ask(path);
    expect([path, response.status, body]).toEqual([path, 503, '{"error":"Service Unavailable"}']);
    const headers = ['access-control-allow-origin', 'cache-control', 'retry-after'];
    expect(headers.map((name) => response.headers.get(name))).toEqual(['*', 'no-store', '2']);
    expect(errors.map(String)).toEqual([expect.stringContaining(`ASSETS responded with ${code}`)]);
  }
});

test('cloudflare: a connection that breaks is 503', async () => {
  respond = (_, response) => response.destroy();
  const { response, errors } = await ask(TOKEN);
  expect([response.status, errors.length]).toEqual([503, 1]);
});

test('cloudflare: 404 of the assets is a missing file', async () => {
  respond = (path, response) =>
    path === NOT_THERE ? response.end('{"error":"Token not found"}') : response.writeHead(404).end();
  const { response, body, errors } = await ask(TOKEN);
  expect([response.status, body, errors]).toEqual([404, '{"error":"Token not found"}', []]);
});

test.each(['500', '502', '503', '504'])('s3-cloudfront: %s of the bucket is 503, and is not stored', async (code) => {
  const text = s3CloudFront.files(SITE).find(({ path }) => path === 'origin-response.mjs')?.text ?? '';
  interface Program {
    handler(event: object): Promise<{ status: string; body?: string; headers: Record<string, { value: string }[]> }>;
  }
  const { handler } = await load<Program>('origin-response.mjs', text);
  for (const uri of [TOKEN, '/errors/404.json', '/errors/422/metadata/v1/ft/x', '/nothing']) {
    const headers = { 'cache-control': [{ key: 'Cache-Control', value: 'public, max-age=60' }] };
    const response = { status: code, statusDescription: '', headers, body: '<Error/>' };
    const answer = await handler({ Records: [{ cf: { request: { uri }, response } }] });
    const value = (name: string) => answer.headers[name]?.[0]?.value;
    // A fixed error needs nothing of the bucket.
    if (uri === '/errors/404.json') expect(answer.status).toBe('404');
    else expect([uri, answer.status, answer.body]).toEqual([uri, '503', '{"error":"Service Unavailable"}']);
    expect([value('cache-control'), value('access-control-allow-origin')]).toEqual(['no-store', '*']);
    if (uri === TOKEN) expect(value('retry-after')).toBe('2');
  }
});
