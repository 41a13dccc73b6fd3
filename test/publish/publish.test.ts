// Tests publishing: which files are uploaded, in which order, and the published site after faults and other publishers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openOutput } from '#generator/open-output.ts';
import { BUCKET_FAULTS, openBucket, treeOf } from '../support/bucket.ts';
import { expectIs, missingIn, publish, publishSome, publishUntilDone } from '../support/publish-to.ts';
import { Random } from '../support/random.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { build, newBuild, putFile } from './versions.ts';

test('uploads all files with types and caching, and later only changed ones', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  const first = await publish(out, bucket);
  const tree = readTree(out);
  expect(first).toMatchObject({ sent: tree.size, removed: 0 });
  expectIs(bucket, out);
  const headersOf = (key: string) => [bucket.objects.get(key)?.type, bucket.objects.get(key)?.caching];
  expect(headersOf('metadata/v1/index.json')).toEqual(['application/json', 'public, max-age=60, must-revalidate']);
  expect(headersOf('index.html')[0]).toBe('text/html; charset=utf-8');
  expect(headersOf('explorer/app.js')[0]).toBe('text/javascript; charset=utf-8');

  bucket.changes.length = 0;
  expect(await publish(out, bucket)).toEqual({ sent: 0, sentBytes: 0, removed: 0 });
  expect(bucket.changes).toEqual([]);

  build(out, 'other');
  const other = readTree(out);
  const second = await publish(out, bucket);
  expectIs(bucket, out);
  const changed = [...other].filter(([path, text]) => tree.get(path) !== text);
  expect(second.sent).toBe(changed.length);
  expect(second.removed).toBe([...tree.keys()].filter((path) => !other.has(path)).length);
  expect(second.removed).toBeGreaterThan(10);
});

test('rejects a first build that did not finish', async () => {
  const [out, bucket] = [join(tempFolder(), 'dist'), await openBucket()];
  // A build that is killed leaves a record without a finished build.
  await (await openOutput(out)).close();
  await expect(publish(out, bucket)).rejects.toThrow(`The first build of ${out} did not finish.`);
  expect(bucket.changes).toEqual([]);
});

test('never publishes a list or a page that refers to a missing file', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  const missing: string[] = [];
  const order: string[] = [];
  bucket.onChange = (key) => {
    order.push(key);
    missing.push(...missingIn(bucket));
  };
  await publish(out, bucket, { concurrency: 3 });
  // `missingIn` can fail: if files are removed, it finds references to them.
  const without = [...bucket.objects].filter(([path]) => !path.startsWith('metadata/v1/ft/ST'));
  expect(missingIn({ objects: new Map(without) }).length).toBeGreaterThan(5);
  build(out, 'other');
  await publish(out, bucket, { concurrency: 3 });
  build(out, 'all');
  await publish(out, bucket, { concurrency: 3 });
  expect(missing).toEqual([]);
  const sent = order.filter((key) => !key.startsWith('.stxpress/'));
  expect(sent.indexOf('metadata/v1/index.json')).toBeGreaterThan(50);
  const isVariant = (key: string) => key.startsWith('variants/');
  expect(sent.findIndex(isVariant)).toBeLessThan(sent.findIndex((key) => key.startsWith('metadata/v1/ft/')));
  expect(sent.filter(isVariant).length).toBeGreaterThan(5);
});

test.each([1, 2, 3])(
  'publishes the same files despite busy responses, cuts, delays and lost responses (%i)',
  async (seed) => {
    const [out, bucket, random] = [newBuild(), await openBucket(), new Random(seed)];
    bucket.fault = () => (random.chance(0.15) ? random.pick(BUCKET_FAULTS) : undefined);
    await publishUntilDone(out, bucket, 20);
    expectIs(bucket, out);
    build(out, 'other');
    await publishUntilDone(out, bucket, 20);
    expectIs(bucket, out);
  },
);

test('does not repeat the uploads of an interrupted publish, unless another build changed them', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  const before = readTree(out);
  build(out, 'other');
  bucket.changes.length = 0;
  await publishSome(out, bucket, 20, { concurrency: 4 });
  const sent = new Set(bucket.changes);
  bucket.changes.length = 0;
  await publish(out, bucket);
  expectIs(bucket, out);
  const again = bucket.changes.filter((change) => sent.has(change) && !change.includes('.stxpress/'));
  expect(again).toEqual([]);

  // After half of the build `third`, the first build is published again. The record must not contain files of `third`.
  build(out, 'third');
  await publishSome(out, bucket);
  build(out, 'all');
  expect([...readTree(out)]).toEqual([...before]);
  await publish(out, bucket);
  expectIs(bucket, out);
});

test('another machine lists the objects, also after an interrupted publish', async () => {
  const [out, elsewhere, bucket] = [newBuild(), newBuild(), await openBucket()];
  await publish(out, bucket);
  bucket.changes.length = 0;
  bucket.server.requests.length = 0;
  expect(await publish(elsewhere, bucket)).toEqual({ sent: 0, sentBytes: 0, removed: 0 });
  expect(bucket.changes).toEqual(['PUT .stxpress/publisher', 'PUT .stxpress/site.json']);
  // The next publish from there does not list the objects.
  bucket.server.requests.length = 0;
  expect(await publish(elsewhere, bucket)).toMatchObject({ sent: 0, removed: 0 });
  expect(bucket.server.requests).toHaveLength(2);

  build(out, 'other');
  await publishSome(out, bucket);
  await publish(elsewhere, bucket);
  expectIs(bucket, elsewhere);
  await publish(out, bucket);
  expectIs(bucket, out);
});

test('changes nothing if --max-deletes is exceeded or a file is damaged', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  const before = treeOf(bucket);
  build(out, 'other');
  await expect(publish(out, bucket, { maxDeletes: 3 })).rejects.toThrow(/--max-deletes \d+$/);
  const { removed } = await publish(out, bucket, { onPlanned: () => {} });
  await expect(publish(out, bucket, { maxDeletes: removed - 1 })).rejects.toThrow(`--max-deletes ${removed}`);
  expect([...treeOf(bucket)]).toEqual([...before]);
  const damaged = join(out, 'metadata/v1/index.json');
  const content = readFileSync(damaged);
  writeFileSync(damaged, 'x');
  await expect(publish(out, bucket)).rejects.toMatchObject({ failure: { code: 'dist-damaged' } });
  expect(treeOf(bucket).get('metadata/v1/index.json')).toBe(before.get('metadata/v1/index.json'));
  writeFileSync(damaged, content);
  bucket.changes.length = 0;
  await publish(out, bucket, { maxDeletes: removed });
  expectIs(bucket, out);
  // If a file refers to another file, the file with the reference is removed first.
  const firstOf = (pattern: RegExp) => bucket.changes.findIndex((change) => pattern.test(change));
  const lastOf = (pattern: RegExp) => bucket.changes.findLastIndex((change) => pattern.test(change));
  const list = /^DELETE metadata\/v1\/ft\/pages\//;
  const [answer, part] = [/^DELETE metadata\/v1\/ft\/[A-Z0-9]+\.[^/]+$/, /^DELETE variants\//];
  expect([firstOf(list), firstOf(part)]).not.toContain(-1);
  expect(lastOf(list)).toBeLessThan(firstOf(answer));
  expect(lastOf(answer)).toBeLessThan(firstOf(part));
});

test('replaces a site by one with less than half of its files only with --replace', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  const before = treeOf(bucket);
  const small = newBuild();
  const record = new Database(join(small, '.stxpress/record.sqlite'));
  record.exec('delete from file');
  record.close();
  expect(before.size).toBeGreaterThan(2);
  const refused = publish(small, bucket, { maxDeletes: before.size });
  await expect(refused).rejects.toMatchObject({ failure: { code: 'too-many-removals' } });
  await expect(refused).rejects.toThrow('less than half');
  expect(treeOf(bucket)).toEqual(before);
  expect(await publish(small, bucket, { maxDeletes: before.size, replace: true })).toMatchObject({ sent: 0 });
  // Other programs may have written files of hosts, so these stay without a local record.
  expect([...treeOf(bucket).keys()]).toEqual(['404.html', 'serve.json']);
});

test('removes only objects at paths of a site, and those that it published', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  putFile(out, '_headers', 'of a host');
  await publish(out, bucket);
  const object = { body: Buffer.from('{}'), type: undefined, caching: undefined };
  const hash = 'a'.repeat(64);
  const old = [
    'metadata/v1/ft/SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.old',
    'variants/locale/de/metadata/v1/ft/SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.old',
    'errors/422/metadata/v1/ft/SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.old',
    `images/${hash}.png`,
    `images/${hash}.thumb.webp`,
    'seed/index.json',
    `seed/1-2-${hash.slice(0, 16)}.tsv.zst`,
    'dump/tokens.parquet',
  ];
  const foreign = [
    ...[
      'mine.txt',
      'docs/mine.html',
      'images/logo.png',
      'seed/mine.tsv.zst',
      'dump/mine.parquet',
      'variants/mine.json',
    ],
    ...['metadata/v1/ft/mine', 'errors/mine.json', '.htaccess', 'variants/a/b/mine', 'index.html/mine', '%', '//', '.'],
  ];
  for (const key of [...old, ...foreign]) bucket.objects.set(key, object);
  // The local record names only the published files, so a publish with it removes none of these objects.
  build(out, 'all');
  expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 1 });
  expect(bucket.objects.has('_headers')).toBe(false);
  bucket.objects.set('_headers', object);
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 0, removed: old.length });
  for (const key of [...foreign, '_headers']) {
    expect(bucket.objects.get(key), key).toBe(object);
    bucket.objects.delete(key);
  }
  expectIs(bucket, out);
});

test('replaces the site of another chain only with --replace', async () => {
  const [out, other, bucket] = [newBuild(), newBuild(), await openBucket()];
  const record = new Database(join(other, '.stxpress/record.sqlite'));
  record.prepare("update info set value = json_set(value, '$.chainId', 1) where key = 'origin'").run();
  record.close();
  await publish(out, bucket);
  const message = /has the site of chain \S+, and \S+ has the site of chain 0x00000001\. .*--replace/;
  await expect(publish(other, bucket)).rejects.toThrow(message);
  expectIs(bucket, out);
  await publish(other, bucket, { replace: true });
  await expect(publish(out, bucket)).rejects.toThrow('has the site of chain 0x00000001');
});
