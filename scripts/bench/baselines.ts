// This script runs a baseline: the unavoidable part of the work that a benchmark measures. Usage: node
// scripts/bench/baselines.ts NAME ARGUMENT … The names are at the end of this file. Each baseline loads only the
// packages that it needs.
import { hash } from 'node:crypto';
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { TOKEN_GETTERS } from '#model/token.ts';

const PUBLISHED_AT_ONCE = 32;

/** Reads an archive line by line, and parses the JSON of every line. */
async function parse(file: string): Promise<void> {
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 });
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip({ chunkSize: 1 << 20 })) : bytes;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    JSON.parse(line.slice(line.lastIndexOf('\t') + 1));
}

/** Copies the files that the last build of a site wrote. The copies are in a new folder. */
function write(site: string, folder: string): void {
  for (const path of writtenFiles(site)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, readFileSync(join(site, path)));
  }
}

/** Returns the paths of the files that the last build of a site wrote. */
export function writtenFiles(site: string): string[] {
  const lines = readFileSync(join(site, '.stxpress/changes.ndjson'), 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const { action, path } = JSON.parse(line) as { action: string; path: string };
    return action === 'write' ? [path] : [];
  });
}

/**
 * Deploys tokens in one session of the Clarity VM. Then calls their getters or, if `calls` is given, calls public
 * functions that many times.
 */
async function vm(file: string, calls?: string): Promise<void> {
  const { getSDK } = await import('@stacks/clarinet-sdk');
  const { Cl } = await import('@stacks/transactions');
  const contracts = JSON.parse(readFileSync(file, 'utf8')) as { contractId: string; source: string }[];
  const simnet = await getSDK();
  await simnet.initEmptySession({ enabled: false });
  simnet.setEpoch('2.5');
  for (const { contractId, source } of contracts) {
    const [address = '', name = ''] = contractId.split('.');
    simnet.deployContract(name, source, { clarityVersion: 2 }, address);
    if (calls === undefined) for (const getter of TOKEN_GETTERS) simnet.callReadOnlyFn(contractId, getter, [], address);
  }
  for (let number = 0; number < Number(calls ?? 0); number++) {
    const { contractId = '' } = contracts[number % contracts.length] ?? {};
    simnet.callPublicFn(contractId, 'set-uri', [Cl.stringAscii(`uri:${number}`)], contractId.split('.')[0] ?? '');
  }
}

/** Reads the listed files and uploads them in signed requests, 32 at a time. */
async function publish(site: string, list: string, endpoint: string): Promise<void> {
  const { AwsV4Signer } = await import('aws4fetch');
  const { Pool } = await import('undici');
  const paths = readFileSync(list, 'utf8').trim().split('\n').values();
  const pool = new Pool(endpoint);
  const cache = new Map<string, ArrayBuffer>();
  await atOnce(PUBLISHED_AT_ONCE, async () => {
    for (const path of paths) {
      const body = await readFile(join(site, path));
      const signed = await new AwsV4Signer({
        method: 'PUT',
        url: `${endpoint}/bare/${path}`,
        headers: {
          'Content-Type': 'application/json',
          'Cache-Control': 'public, max-age=60',
          'X-Amz-Content-Sha256': hash('sha256', body),
        },
        service: 's3',
        region: 'us-east-1',
        cache,
        accessKeyId: 'KEY',
        secretAccessKey: 'SECRET',
      }).sign();
      const headers = Object.fromEntries(signed.headers as Iterable<[string, string]>);
      const response = await pool.request({ method: 'PUT', path: signed.url.pathname, headers, body });
      await response.body.dump();
    }
  });
  await pool.close();
}

/** Serves a bucket that stores only the publisher's state, and discards the files of the site. Prints its URL. */
function bucket(): void {
  const stored = new Map<string, Buffer>();
  const server = createServer(async (incoming, response) => {
    const { method, headers, url = '' } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const object = stored.get(url);
    if (method === 'PUT' && headers['if-none-match'] === '*' && object !== undefined) response.statusCode = 412;
    else if (method === 'PUT' && url.includes('/.stxpress/')) stored.set(url, Buffer.concat(chunks));
    else if (method === 'DELETE') stored.delete(url);
    else if (method === 'GET' && !url.includes('?') && object === undefined) response.statusCode = 404;
    response.end(method === 'GET' ? object : undefined);
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

/** Sends the requests of an index run, `concurrency` at a time, and parses each response. */
async function fetchContracts(url: string, list: string, concurrency: string): Promise<void> {
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ connections: Number(concurrency) });
  const ids = readFileSync(list, 'utf8').split('\n').values();
  await atOnce(Number(concurrency), async () => {
    for (const id of ids) {
      const [address, name] = id.split('.') as [string, string];
      const contract = await request(`${url}/extended/v1/contract/${id}`, { dispatcher });
      JSON.parse(await contract.body.text());
      for (const getter of TOKEN_GETTERS) {
        const called = await request(`${url}/v2/contracts/call-read/${address}/${name}/${getter}`, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sender: address, arguments: [] }),
        });
        JSON.parse(await called.body.text());
      }
    }
  });
  await dispatcher.close();
}

/** Serves a folder only with the package serve-handler. */
async function serve(folder: string, port: string): Promise<void> {
  const { default: serveHandler } = await import('serve-handler');
  createServer((incoming, response) => {
    void serveHandler(incoming, response, { public: folder, cleanUrls: false, directoryListing: false, etag: true });
  }).listen(Number(port), '127.0.0.1');
}

async function atOnce(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

const BASELINES: Readonly<Record<string, (...args: [string, string, string]) => unknown>> = {
  parse,
  write,
  vm,
  publish,
  bucket,
  fetch: fetchContracts,
  serve,
};
if (import.meta.main) {
  const [name = '', ...args] = process.argv.slice(2);
  await BASELINES[name]?.(...(args as [string, string, string]));
}
