import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { heightsOf, readToEnd, writeArchive } from '../../support/archives.ts';
import { canBeBound, runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { blockLine, line } from '../../support/transactions.ts';

const blocks = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)
    .map((height) => blockLine({ id: height, parent: height - 1, height }))
    .join('');
/** Returns lines that have no effect and hardly compress. */
const noise = (bytes: number) =>
  Array.from({ length: bytes / 100_000 }, () => line('/other', randomBytes(75_000).toString('base64'))).join('');

const FORMS = [
  ['gzip', (text: string) => gzipSync(text)],
  ['zstd', (text: string) => zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })],
] as const;
const small = blocks(1, 30);
/** Lines with less than the megabyte that identifies an archive, but more than a block of zstd. */
const medium = blocks(1, 1_200);
const big = blocks(1, 30) + noise(3_000_000) + blocks(30, 60);

describe.each(FORMS)('%s', (_, compress) => {
  test.each([
    ['small', small],
    ['larger than a chunk', big],
  ])('%s', async (_size, text) => {
    expect(await readToEnd(writeArchive(compress(text)))).toEqual(await readToEnd(writeArchive(text)));
  });

  test.each([
    ['two', [small, blocks(30, 60)]],
    ['with a line in both', [small.slice(0, -50), small.slice(-50) + blocks(30, 60)]],
    ['larger than a chunk', [blocks(1, 30) + noise(2_000_000), noise(2_000_000), blocks(30, 60)]],
    ['with an empty one in between', [small, '', blocks(30, 60)]],
  ])('reads several members, %s', { timeout: 10_000 }, async (_kind, members) => {
    const read = await readToEnd(writeArchive(Buffer.concat(members.map((member) => compress(member)))));
    expect(read.error).toBeUndefined();
    expect(heightsOf(read.events)).toEqual(heightsOf((await readToEnd(writeArchive(members.join('')))).events));
    expect(heightsOf(read.events)).toHaveLength(59);
  });

  test.each([
    ['shorter than a megabyte', medium, 0.6],
    ['shorter than a megabyte, at its end', medium, 0.99],
    ['larger than a chunk', big, 0.9],
    ['larger than a chunk, at its end', big, 0.9999],
  ])('reports archive-compressed-data-broken for a truncated archive, %s', async (_size, text, part) => {
    const whole = compress(text);
    const path = writeArchive(whole.subarray(0, Math.floor(whole.length * part)));
    const { error, events, position } = await readToEnd(path);
    expect(error?.failure.code).toBe('archive-compressed-data-broken');
    expect(error?.message).toContain(path);
    // Data before the break is indexed. Reading continues there when the complete file arrives.
    expect(events.length).toBeGreaterThan(5);
    const rest = await readToEnd(writeArchive(whole), { known: [position] });
    expect(heightsOf([...events, ...rest.events])).toEqual(heightsOf((await readToEnd(writeArchive(text))).events));
  });

  test('reports archive-compressed-data-broken for damaged bytes', async () => {
    const damaged = Buffer.from(compress(big));
    damaged.fill(0xff, damaged.length - 100_000, damaged.length - 90_000);
    expect((await readToEnd(writeArchive(damaged))).error?.failure.code).toBe('archive-compressed-data-broken');
  });

  test('reports archive-not-an-archive for compressed data of an empty file', async () => {
    expect((await readToEnd(writeArchive(compress('')))).error?.failure.code).toBe('archive-not-an-archive');
  });

  test('does not accumulate listeners on the decompressor', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const path = writeArchive(compress(blocks(1, 2) + noise(6_000_000)));
    expect((await readToEnd(path)).error).toBeUndefined();
    await new Promise(setImmediate);
    expect(warnings.map((warning) => warning.message)).toEqual([]);
  });
});

test.each([
  ['a folder', () => tempFolder(), 'is a folder'],
  ['a missing file', () => join(tempFolder(), 'none.tsv'), 'there is no such file'],
  ['a path through a file', () => join(writeArchive('x'), 'none.tsv'), 'cannot be read'],
])('reports archive-unreadable for %s', async (_, makePath, message) => {
  const path = makePath();
  const { error } = await readToEnd(path);
  expect(error?.failure.code).toBe('archive-unreadable');
  expect(error?.message).toContain(path);
  expect(error?.message).toContain(message);
});

test('reports archive-unreadable without permission', async ({ skip }) => {
  skip(!canBeBound(), 'root passes by permissions here, and there is no setpriv');
  const path = writeArchive(small);
  chmodSync(path, 0o000);
  const args = ['index', '--no-vm', '--offline', '--archive', path];
  expect(await runCli(args, { cwd: tempFolder(), boundByPermissions: true })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('permission denied'),
  });
});
