// Tests that a seed is read from servers that encode its files, or that label them with an encoding.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, test } from 'vitest';
import { loopbackServer } from '../support/loopback-server.ts';
import { expectRefused, okOf, runWarm } from '../support/run-cli.ts';
import { SAMPLE_ARCHIVE, sampleIndex } from '../support/sample.ts';
import { seedOf } from '../support/seeds.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const db = sampleIndex();
const seed = join(tempFolderForFile(), 'seed');
beforeAll(async () => {
  await seedOf({ db, archives: [SAMPLE_ARCHIVE], out: seed });
});

type Encode = (bytes: Buffer) => Buffer;
const asIs: Encode = (bytes) => bytes;
const ZSTD_BYTE = 0x28;
/** Encodes only parts, not the manifest. */
const parts =
  (encode: Encode): Encode =>
  (bytes) =>
    bytes[0] === ZSTD_BYTE ? encode(bytes) : bytes;
const stored = (bytes: Buffer) => gzipSync(bytes, { level: 0 });
const spoiled = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\n')]);

/** Indexes the seed from a server that sends its files with this label and encoding. */
async function indexFrom(encoding: string | undefined, encode: Encode) {
  const server = await loopbackServer((request, response) => {
    const name = request.url?.slice('/seed/'.length) ?? '';
    if (!readdirSync(seed).includes(name)) return void response.writeHead(404).end();
    const body = encode(readFileSync(join(seed, name)));
    const labels = encoding === undefined ? {} : { 'content-encoding': encoding };
    response.writeHead(200, { 'content-length': body.length, ...labels }).end(body);
  });
  return runWarm(['index', '--db', 'i.sqlite', '--no-vm', '--seed', server.url], {
    cwd: tempFolder(),
    env: { STXPRESS_WAIT: '0' },
  });
}

test.each<[string, string, Encode]>([
  ['labels of the format', 'zstd', asIs],
  ['a wrong label', 'gzip', asIs],
  ['wrong labels', 'br, zstd', asIs],
  ['an unknown label', 'identity', asIs],
  ['gzip', 'gzip', gzipSync],
  ['gzip that is longer than the file', 'gzip', stored],
  ['br', 'br', brotliCompressSync],
  ['zstd', 'zstd', zstdCompressSync],
  ['deflate', 'deflate', deflateSync],
  ['two encodings', 'zstd, gzip', (bytes) => gzipSync(zstdCompressSync(bytes))],
  ['encoded parts', 'gzip', parts(gzipSync)],
])('reads a seed from a server with %s', async (_, encoding, encode) => {
  okOf(await indexFrom(encoding, encode));
});

test.each<[string, string | undefined, Encode, RegExp]>([
  ['other bytes', undefined, parts(spoiled), /does not have the bytes that the manifest states/],
  ['other bytes with a label', 'zstd', parts(spoiled), /does not have the bytes|is not valid zstd/],
  ['gzip without a label', undefined, parts(gzipSync), /does not have the bytes that the manifest states/],
  ['gzip with another label', 'br', parts(gzipSync), /is not valid br/],
  ['a manifest with another label', 'br', gzipSync, /index\.json cannot be read: .* is not valid br/],
])('ends with status 1 for %s', async (_, encoding, encode, message) => {
  expectRefused(await indexFrom(encoding, encode), message);
});
