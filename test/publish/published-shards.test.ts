// Storages to which an earlier version published shards of a site, each with a snapshot and a lock in a folder of its
// own: the next publish of the whole site takes them in.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openBuildRecord, readOrigin } from '#press/record/build-record.ts';
import { writeValues } from '#sqlite/info.ts';
import { type Bucket, openBucket, treeOf } from '../support/bucket.ts';
import { expectIs, publish } from '../support/publish-to.ts';
import { filesBelow } from '../support/sample.ts';
import { build, newBuild } from './versions.ts';

const SNAPSHOT = '.stxpress/published.json';
const FOLDER = '.stxpress/shard-2-of-3/';
/** A file that a shard added to the site, and two that the whole site has. */
const [ADDED, CHANGED, GONE] = ['metadata/v1/ft/ST1.added', 'openapi.json', 'metadata/v1/ft/index.json'];

const put = (bucket: Bucket, key: string, body: string | Buffer) =>
  bucket.objects.set(key, { body: Buffer.from(body), type: undefined, caching: undefined } as never);

type Files = ReadonlyMap<string, string | Buffer | undefined>;
const FILES: Files = new Map([
  [ADDED, 'added'],
  [CHANGED, 'changed'],
  [GONE, undefined],
]);

/** Writes the state of a shard as earlier versions did: its files, undefined for those that are gone. */
function putState(bucket: Bucket, base: string, files: Files): void {
  const lines = [...files].map(([path, body]) => `${body === undefined ? '-' : hash('sha256', body)}  ${path}\n`);
  const part = zstdCompressSync(lines.join(''));
  const key = `${FOLDER}published-${hash('sha256', part)}.zst`;
  put(bucket, key, part);
  put(bucket, `${FOLDER}published.json`, JSON.stringify({ base, parts: [key] }));
}

function publishShard(bucket: Bucket, base: string, files = FILES): void {
  for (const [path, body] of files)
    if (body === undefined) bucket.objects.delete(path);
    else put(bucket, path, body);
  putState(bucket, base, files);
}

const generationOf = (bucket: Bucket) => hash('sha256', bucket.objects.get(SNAPSHOT)?.body ?? '');

async function publishedBuild() {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  return { out, bucket };
}

test.each([
  ['the machine that published the site', (out: string) => out],
  ['another machine', newBuild],
])('behavior: what a shard published after the site is known to %s', async (_, outOf) => {
  const { out, bucket } = await publishedBuild();
  publishShard(bucket, generationOf(bucket));
  expect(await publish(outOf(out), bucket)).toMatchObject({ sent: 2, removed: 1 });
  expectIs(bucket, out);
});

test('behavior: a first publish of the whole site takes in shards that were published before it', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  publishShard(bucket, '');
  expect(await publish(out, bucket)).toMatchObject({ removed: 1 });
  expectIs(bucket, out);
});

test('behavior: if shards published all that changed, the state of the site says so', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  build(out, 'other');
  await publish(out, bucket);
  const before = [...treeOf(bucket).keys()];
  build(out, 'all');
  const built = new Map(filesBelow(out).map((path) => [path, readFileSync(join(out, path))]));
  publishShard(
    bucket,
    generationOf(bucket),
    new Map([...before, ...built.keys()].map((path) => [path, built.get(path)])),
  );
  expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 0 });
  expectIs(bucket, out);
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 0, removed: 0 });
});

test('behavior: what a shard published before the site is not read, and goes with the next publish', async () => {
  const { out, bucket } = await publishedBuild();
  putState(bucket, 'an earlier generation', FILES);
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 0, removed: 0 });
  build(out, 'other');
  await publish(out, bucket);
  expectIs(bucket, out);
});

test('behavior: a shard that was being published has a lock, and what it changed is sent again', async () => {
  const { out, bucket } = await publishedBuild();
  const lock = { token: 'x', by: 'machine, process 1', since: '2026-01-01T00:00:00.000Z' };
  put(bucket, `${FOLDER}publishing.zst`, zstdCompressSync(`${JSON.stringify(lock)}\n${CHANGED}\n${ADDED}\n`));
  for (const path of [CHANGED, ADDED]) put(bucket, path, 'changed');
  await expect(publish(out, bucket)).rejects.toMatchObject({ failure: { code: 'locked', retryable: true } });
  expect(await publish(out, bucket, { takeOver: true })).toMatchObject({ sent: 1, removed: 1 });
  expectIs(bucket, out);
});

test('error: a build that has one shard of a site is not published as the whole site', async () => {
  const { out, bucket } = await publishedBuild();
  {
    await using record = await openBuildRecord(join(out, '.stxpress/record.sqlite'));
    const { files, bytes, ...origin } = (await readOrigin(record)) ?? {};
    await writeValues(record, { origin: JSON.stringify({ ...origin, shard: { number: 1, of: 2 } }) });
  }
  const refused = publish(out, bucket);
  await expect(refused).rejects.toMatchObject({ failure: { code: 'dist-missing', retryable: false } });
  await expect(refused).rejects.toThrow(`Build the whole site with: npm run build -- --out ${out}`);
});
