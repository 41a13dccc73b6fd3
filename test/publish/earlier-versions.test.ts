// Tests targets that an earlier version published to. It left a snapshot in parts, snapshots of shards, or a lock with
// paths.
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openBuildRecord, readOrigin } from '#generator/record/build-record.ts';
import { writeValues } from '#sqlite/info.ts';
import { type Bucket, openBucket, treeOf } from '../support/bucket.ts';
import { expectIs, publish, publishSome } from '../support/publish-to.ts';
import { readTree } from '../support/sample.ts';
import { build, newBuild } from './versions.ts';

const put = ({ objects }: Bucket, key: string, body: string | Buffer, type = 'application/json') =>
  objects.set(key, { body: Buffer.from(body), type, caching: 'no-store' });

const lineOf = (path: string, text: string) => `${hash('sha256', text, 'hex')}  ${path}\n`;

/** Stores a snapshot in two parts, as earlier versions did. A snapshot is a list of published files. */
const putSnapshot = (bucket: Bucket, folder: string, lines: readonly string[]) => {
  const half = lines.length >> 1;
  const parts = [lines.slice(0, half), lines.slice(half)].map((some) => {
    const body = zstdCompressSync(some.join(''));
    const key = `${folder}published-${hash('sha256', body, 'hex')}.zst`;
    put(bucket, key, body, 'application/zstd');
    return key;
  });
  put(bucket, `${folder}published.json`, JSON.stringify({ chainId: 0x80000000, base: '', parts }));
};

const GONE = ['graph/SP1.a', 'graph/SP1.b', 'graph/lists/called-by/SP1.a/0', 'exports/shard-1-of-2.sqlite'];
/** Stores a lock that lists paths, as left by an interrupted publish on another machine. */
const putLock = (bucket: Bucket, key: string, paths: readonly string[]) =>
  put(bucket, key, zstdCompressSync([JSON.stringify({ token: 't', by: 'b', since: 's' }), ...paths, ''].join('\n')));

/**
 * Returns a bucket with a build that an earlier version published. It contains files that this version does not write.
 */
const openEarlierBucket = async (out: string) => {
  const bucket = await openBucket();
  const files = new Map([...readTree(out), ...GONE.map((path) => [path, 'of an earlier version'] as const)]);
  for (const [path, text] of files) put(bucket, path, text, 'text/plain');
  // The snapshot of a shard may have older hashes than the snapshot of the site.
  const shardPaths = [...files.keys()].slice(0, 3);
  putSnapshot(bucket, '.stxpress/', [...[...files].map(([path, text]) => lineOf(path, text)), `-  metadata/v1/gone\n`]);
  putSnapshot(
    bucket,
    '.stxpress/shard-1-of-2/',
    shardPaths.map((path) => lineOf(path, 'older')),
  );
  return bucket;
};

test('upgrades a bucket of an earlier version in one publish', async () => {
  const [out, source] = [newBuild(), newBuild()];
  const bucket = await openEarlierBucket(source);
  put(bucket, 'mine.txt', 'mine');
  const all = readTree(out).size;
  // The chain id in the snapshot is not the chain id of the sample.
  await expect(publish(out, bucket, { maxDeletes: 0 })).rejects.toMatchObject({ failure: { code: 'other-chain' } });
  const order: string[] = [];
  bucket.onChange = (key) => order.push(key);
  expect(await publish(out, bucket, { maxDeletes: 0, replace: true })).toMatchObject({
    sent: all,
    removed: GONE.length,
  });
  expect(treeOf(bucket).get('mine.txt')).toBe('mine');
  bucket.objects.delete('mine.txt');
  expectIs(bucket, out);
  expect(bucket.objects.get('openapi.json')?.type).toBe('application/json');
  // Files of the earlier version's state are removed after all other files.
  const lastFile = order.findLastIndex((key) => !key.startsWith('.stxpress/'));
  const firstOfState = order.findIndex((key) => key.includes('/published'));
  expect(firstOfState).toBeGreaterThan(lastFile);
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 0, removed: 0 });
});

test.each([5, 40, 155])('continues an upgrade that was killed after %i changes', async (changes) => {
  const [out, elsewhere] = [newBuild(), newBuild()];
  const bucket = await openEarlierBucket(out);
  await publishSome(out, bucket, changes, { replace: true, concurrency: 2 });
  await expect(publish(elsewhere, bucket)).rejects.toMatchObject({ failure: { code: 'locked' } });
  // Either another machine takes over, or the machine that was interrupted continues.
  if (changes === 40) await publish(elsewhere, bucket, { takeOver: true, replace: true });
  else await publish(out, bucket, { replace: true });
  expectIs(bucket, out);
});

test('replaces the local record of an earlier version', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  const folder = join(out, '.stxpress/published');
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.sqlite'));
  const record = new Database(join(folder, name));
  record.exec('drop table file; create table file (path text primary key, sha256 blob); pragma user_version = 1');
  record.close();
  expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 0 });
  build(out, 'third');
  await publish(out, bucket);
  expectIs(bucket, out);
});

test('continues an upgrade that was killed while it removed the earlier state', async () => {
  const out = newBuild();
  const bucket = await openEarlierBucket(out);
  bucket.fault = (method, key) => (method === 'DELETE' && key.endsWith('/published.json') ? 'denied' : undefined);
  await expect(publish(out, bucket, { replace: true })).rejects.toMatchObject({ failure: { code: 'target-refused' } });
  bucket.fault = () => undefined;
  expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 0 });
  expectIs(bucket, out);
});

test('takes over an interrupted publish of an earlier version, with its unfinished files', async () => {
  const out = newBuild();
  const bucket = await openEarlierBucket(out);
  const begun = ['metadata/v1/ft/begun', 'openapi.json'];
  putLock(bucket, '.stxpress/publishing.zst', begun);
  put(bucket, begun[0] ?? '', 'half of a build');
  build(out, 'third');
  await expect(publish(out, bucket, { replace: true })).rejects.toMatchObject({ failure: { code: 'locked' } });
  await publish(out, bucket, { replace: true, takeOver: true });
  expectIs(bucket, out);
});

test('rejects a running shard of an earlier version, and a changed part of its snapshot', async () => {
  const out = newBuild();
  const bucket = await openEarlierBucket(out);
  putLock(bucket, '.stxpress/shard-2-of-2/publishing.zst', []);
  await expect(publish(out, bucket, { replace: true })).rejects.toMatchObject({ failure: { code: 'locked' } });
  bucket.objects.delete('.stxpress/shard-2-of-2/publishing.zst');
  const part = [...bucket.objects.keys()].find((key) => key.endsWith('.zst')) ?? '';
  put(bucket, part, zstdCompressSync(lineOf('index.html', 'forged')));
  await expect(publish(out, bucket, { replace: true })).rejects.toThrow(
    `${part} in s3://site is missing or was changed`,
  );
});

test('does not publish a build of one shard as a site', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  {
    await using record = await openBuildRecord(join(out, '.stxpress/record.sqlite'));
    const { files, bytes, ...origin } = (await readOrigin(record)) ?? {};
    await writeValues(record, { origin: JSON.stringify({ ...origin, shard: { number: 1, of: 2 } }) });
  }
  const refused = publish(out, bucket);
  await expect(refused).rejects.toMatchObject({ failure: { code: 'dist-missing', retryable: false } });
  await expect(refused).rejects.toThrow(`Build the whole site with: npm run build -- --out ${out}`);
});
