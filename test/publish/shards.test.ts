// Publishing the builds of shards and what merges them: together they are the site, and readers see nothing else.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { PublishOptions } from '#publish/target.ts';
import { type Bucket, openBucket } from '../support/bucket.ts';
import { buildIndex } from '../support/build-options.ts';
import { indexShard } from '../support/index-options.ts';
import { expectIs, FAULTS, missingIn, publish, publishSome, publishUntilDone } from '../support/publish-to.ts';
import { Random } from '../support/random.ts';
import { okOf, runWarm } from '../support/run-warm.ts';
import { indexSample, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';
import { putBuild } from './versions.ts';

const SHARDS = [1, 2, 3] as const;
const folder = tempFolderForFile();
const WHOLE = 0;

/** What is built: all, or only tokens of which no values are read, so that files are new, changed and gone. */
type Version = 'all' | 'other';

beforeAll(async () => {
  for (const version of ['all', 'other'] as const) {
    const vm = version === 'all';
    const exports = join(folder, version, 'exports');
    for (const number of [WHOLE, ...SHARDS]) {
      const db = join(folder, `${version}-${number}.sqlite`);
      const shard = { number, of: SHARDS.length };
      if (number === WHOLE) await indexSample(db, { vm });
      else await indexShard(db, shard, { archives: [SAMPLE_ARCHIVE], vm, concurrency: 1 });
      await buildIndex(db, join(folder, version, `${number}`), { exports, only: vm ? undefined : 'tokens' });
    }
    const out = join(folder, version, 'merged');
    okOf(await runWarm(['merge', '--exports', exports, '--out', out], { cwd: folder }));
  }
});

/** The folders of a site: of its shards, by number, of the merge, and at 0 of one build of it all. */
class Site {
  readonly #folder = tempFolder();
  readonly merged = join(this.#folder, 'merged');

  constructor() {
    this.build('all');
  }

  out(shard: number): string {
    return join(this.#folder, `${shard}`);
  }

  build(version: Version): void {
    for (const part of [WHOLE, ...SHARDS, 'merged']) this.buildOne(part, version);
  }

  buildOne(part: number | string, version: Version): void {
    putBuild(join(folder, version, `${part}`), join(this.#folder, `${part}`));
  }
}

const publishShards = (site: Site, bucket: Bucket, over: Partial<PublishOptions> = {}) =>
  Promise.all(SHARDS.map((shard) => publish(site.out(shard), bucket, over)));

test('default: shards at once, then the merge: the bucket is the site, and no list names what is not there', async () => {
  const [site, bucket] = [new Site(), await openBucket()];
  const missing: string[] = [];
  bucket.onChange = () => missing.push(...missingIn(bucket));
  const removed = () => bucket.changes.filter((change) => /^DELETE (?!\.stxpress)/.test(change)).length;
  for (const version of ['all', 'other', 'all'] as const) {
    site.build(version);
    const before = removed();
    await publishShards(site, bucket);
    // What lists may name stays until they name it no more.
    expect(removed()).toBe(before);
    await publish(site.merged, bucket);
    expectIs(bucket, site.out(WHOLE));
  }
  expect(removed()).toBeGreaterThan(20);
  expect(missing).toEqual([]);
  // One that has all of it goes on from there, and so do shards.
  expect(await publish(site.out(WHOLE), bucket)).toMatchObject({ sent: 0, removed: 0 });
  expect(await publishShards(site, bucket)).toEqual(SHARDS.map(() => ({ sent: 0, sentBytes: 0, removed: 0 })));
});

test('error: what a shard has not published yet is named, and nothing is changed', async () => {
  const [site, bucket] = [new Site(), await openBucket()];
  await publish(site.out(1), bucket);
  await publish(site.out(2), bucket);
  const changes = bucket.changes.length;
  await expect(publish(site.merged, bucket)).rejects.toThrow(/lacks \d+ files of shards as they were merged, such as/);
  expect(bucket.changes.length).toBe(changes);
  await publish(site.out(3), bucket);
  await publish(site.merged, bucket);
  expectIs(bucket, site.out(WHOLE));
  // A shard that was built since: what is merged is older.
  site.buildOne(2, 'other');
  await publish(site.out(2), bucket);
  await expect(publish(site.merged, bucket)).rejects.toThrow('if one was built since the merge, merge again.');
});

test('error: shards of another count, before the site of those that are there was published', async () => {
  const [site, bucket] = [new Site(), await openBucket()];
  await publishShards(site, bucket);
  const changes = bucket.changes.length;
  const [db, out] = [join(folder, 'half.sqlite'), join(folder, 'half')];
  await indexShard(db, { number: 1, of: 2 }, { archives: [SAMPLE_ARCHIVE], vm: false });
  await buildIndex(db, out, { only: 'tokens' });
  await expect(publish(out, bucket)).rejects.toThrow('has files of other shards (.stxpress/shard-1-of-3/)');
  expect(bucket.changes.length).toBe(changes);
  await publish(site.merged, bucket);
  await publish(out, bucket);
});

test('behavior: a shard that died is run again, on the same machine and on another one', async () => {
  const [site, bucket] = [new Site(), await openBucket()];
  const die = (shard: number) => publishSome(site.out(shard), bucket, 8, { concurrency: 1 });
  await die(1);
  await publishShards(site, bucket);
  await publish(site.merged, bucket);
  expectIs(bucket, site.out(WHOLE));

  site.build('other');
  await die(1);
  const elsewhere = join(tempFolder(), 'dist');
  cpSync(site.out(1), elsewhere, { recursive: true });
  rmSync(join(elsewhere, '.stxpress/published'), { recursive: true });
  await expect(publish(elsewhere, bucket)).rejects.toMatchObject({ failure: { code: 'locked' } });
  // The whole waits for it, too.
  await expect(publish(site.merged, bucket)).rejects.toMatchObject({ failure: { code: 'locked' } });
  await publish(elsewhere, bucket, { takeOver: true });
  await publish(site.out(2), bucket);
  await publish(site.out(3), bucket);
  await publish(site.merged, bucket);
  expectIs(bucket, site.out(WHOLE));
});

test('behavior: a shard and the whole are never at work at once', async () => {
  const [site, bucket] = [new Site(), await openBucket()];
  await publishShards(site, bucket);
  const ends: unknown[] = [];
  let isBegun = false;
  bucket.fault = async (method, key) => {
    // The whole has its lock, and sends.
    if (!isBegun && method === 'PUT' && key === 'index.html') {
      isBegun = true;
      site.buildOne(1, 'other');
      ends.push(await publish(site.out(1), bucket).catch((error: unknown) => error));
    }
    return undefined;
  };
  await publish(site.merged, bucket);
  expect(ends).toMatchObject([{ failure: { code: 'locked', retryable: true } }]);
  expectIs(bucket, site.out(WHOLE));
});

test.each([1, 2])('behavior: with faults and random stops, it ends in the same tree (%i)', async (seed) => {
  const [site, bucket, random] = [new Site(), await openBucket(), new Random(seed)];
  bucket.fault = () => (random.chance(0.1) ? random.pick(FAULTS) : undefined);
  const untilDone = (out: string) => publishUntilDone(out, bucket, 40, random);
  for (const version of ['all', 'other'] as const) {
    site.build(version);
    await Promise.all(SHARDS.map((shard) => untilDone(site.out(shard))));
    await untilDone(site.merged);
    expectIs(bucket, site.out(WHOLE));
  }
});
