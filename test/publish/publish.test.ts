// Publishing a build: what is sent, in which order, and what is there after faults, kills and other publishers.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BuildOptions } from '#press/build-options.ts';
import { FolderTarget } from '#publish/folder-target.ts';
import { type Bucket, type Fault, openBucket, treeOf } from '../support/bucket.ts';
import { buildIndex } from '../support/build-options.ts';
import { expectAtRest, expectIs, missingIn, publish, publishSome } from '../support/publish-to.ts';
import { putBuild } from '../support/put-build.ts';
import { Random } from '../support/random.ts';
import { runCli, spawnCli } from '../support/run-cli.ts';
import { runWarm } from '../support/run-warm.ts';
import { indexSample, readTree } from '../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET' };
const folder = tempFolderForFile();
const [db, otherDb] = [join(folder, 'index.sqlite'), join(folder, 'other.sqlite')];

/** What is built of it: all; only tokens, without their values, so that files are new, changed and gone; and others. */
const VERSIONS = {
  all: {},
  other: { only: 'tokens', index: otherDb },
  third: { index: otherDb, publicUrl: 'https://third.test' },
  second: { publicUrl: 'https://second.test' },
} as const satisfies Record<string, Partial<BuildOptions> & { index?: string }>;

beforeAll(async () => {
  await indexSample(db);
  await indexSample(otherDb, { vm: false });
  for (const [name, { index = db, ...over }] of Object.entries<Partial<BuildOptions> & { index?: string }>(VERSIONS))
    await buildIndex(index, join(folder, name), over);
});

const build = (out: string, version: keyof typeof VERSIONS) => putBuild(join(folder, version), out);
const newBuild = () => {
  const out = join(tempFolder(), 'dist');
  build(out, 'all');
  return out;
};

describe('runPublish', () => {
  test('default: the tree, with types and caching; then only what changed', async () => {
    const [out, bucket] = [newBuild(), await openBucket()];
    const first = await publish(out, bucket);
    const tree = readTree(out);
    expect(first).toMatchObject({ sent: tree.size, removed: 0 });
    expectIs(bucket, out);
    expectAtRest(bucket);
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
    expectAtRest(bucket);
    const changed = [...other].filter(([path, text]) => tree.get(path) !== text);
    expect(second.sent).toBe(changed.length);
    expect(second.removed).toBe([...tree.keys()].filter((path) => !other.has(path)).length);
    expect(second.removed).toBeGreaterThan(10);
  });

  test('behavior: at no time does a list or a page name what is not there', async () => {
    const [out, bucket] = [newBuild(), await openBucket()];
    const missing: string[] = [];
    const order: string[] = [];
    bucket.onChange = (key) => {
      order.push(key);
      missing.push(...missingIn(bucket));
    };
    await publish(out, bucket, { concurrency: 3 });
    // The check can fail: the lists are there, and name something.
    const without = [...bucket.objects].filter(([path]) => !path.startsWith('metadata/v1/ft/ST'));
    expect(missingIn({ objects: new Map(without) }).length).toBeGreaterThan(5);
    build(out, 'other');
    await publish(out, bucket, { concurrency: 3 });
    build(out, 'all');
    await publish(out, bucket, { concurrency: 3 });
    expect(missing).toEqual([]);
    expect(order.filter((key) => !key.startsWith('.stxpress/')).indexOf('metadata/v1/index.json')).toBeGreaterThan(50);
  });

  test.each([1, 2, 3])('behavior: busy, cut, slow, and answers that are lost: the same tree (%i)', async (seed) => {
    const [out, bucket, random] = [newBuild(), await openBucket(), new Random(seed)];
    const faults: Fault[] = ['busy', 'cut', 'lost', 'slow', 'conflict'];
    bucket.fault = () => (random.chance(0.15) ? random.pick(faults) : undefined);
    const untilDone = async () => {
      for (let run = 0; run < 20; run++) {
        try {
          return await publish(out, bucket);
        } catch (error) {
          expect(error).toMatchObject({ failure: { retryable: true } });
        }
      }
      throw new Error('it never ended');
    };
    await untilDone();
    expectIs(bucket, out);
    build(out, 'other');
    await untilDone();
    expectIs(bucket, out);
    expectAtRest(bucket);
  });

  test('behavior: what a publish that was cut short had sent is not sent again; what another build took back is', async () => {
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

    // Half of a third build, and then back to the first one: what had been sent of it is not what the record says.
    build(out, 'third');
    await publishSome(out, bucket);
    build(out, 'all');
    expect([...readTree(out)]).toEqual([...before]);
    await publish(out, bucket);
    expectIs(bucket, out);
    expectAtRest(bucket);
  });

  test('behavior: another machine goes on from what the storage says, also with a publish that died', async () => {
    const [out, bucket] = [newBuild(), await openBucket()];
    await publish(out, bucket);
    const elsewhere = join(tempFolder(), 'dist');
    cpSync(out, elsewhere, { recursive: true });
    rmSync(join(elsewhere, '.stxpress/published'), { recursive: true });
    bucket.changes.length = 0;
    expect(await publish(elsewhere, bucket)).toMatchObject({ sent: 0, removed: 0 });
    expect(bucket.changes).toEqual([]);

    build(out, 'other');
    await publishSome(out, bucket);
    // Its build is the one before, so its own record says that nothing is to be done.
    const refused = publish(elsewhere, bucket);
    await expect(refused).rejects.toMatchObject({ failure: { code: 'locked', retryable: true } });
    await expect(refused).rejects.toThrow('--take-over');
    await publish(elsewhere, bucket, { takeOver: true });
    expectIs(bucket, elsewhere);
    expectAtRest(bucket);
    // The machine that had died learns what the other one did.
    await publish(out, bucket);
    expectIs(bucket, out);
    expectAtRest(bucket);
  });

  test.each([true, false])('behavior: of two publishers at once one is refused (conditions: %s)', async (knows) => {
    const [first, second, bucket] = [newBuild(), newBuild(), await openBucket()];
    bucket.knowsConditions = knows;
    build(second, 'other');
    const results = await Promise.allSettled([publish(first, bucket), publish(second, bucket)]);
    const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.failure.code] : []));
    expect(failed).toEqual(['locked']);
    const [winner, loser] = results[0].status === 'fulfilled' ? [first, second] : [second, first];
    expectIs(bucket, winner);
    await publish(loser, bucket);
    expectIs(bucket, loser);
    expectAtRest(bucket);
  });

  test('behavior: a publisher that began and ended while another one was planning is noticed', async () => {
    const [first, second, bucket] = [newBuild(), newBuild(), await openBucket()];
    await publish(first, bucket);
    build(first, 'other');
    build(second, 'second');
    // Once the second one has learned what is there, and before it is at work, the first one publishes.
    let isBetween = false;
    bucket.fault = async (method, key) => {
      if (method !== 'PUT' || key !== '.stxpress/publishing.zst' || isBetween) return undefined;
      isBetween = true;
      await publish(first, bucket);
      return undefined;
    };
    await expect(publish(second, bucket)).rejects.toMatchObject({ failure: { code: 'locked', retryable: true } });
    expectIs(bucket, first);
    bucket.fault = () => undefined;
    await publish(second, bucket);
    expectIs(bucket, second);
    expectAtRest(bucket);
  });

  test('error: the storage holds something else, unless it is adopted', async () => {
    const [out, bucket] = [newBuild(), await openBucket()];
    await publish(out, bucket);
    for (const key of bucket.objects.keys()) if (key.startsWith('.stxpress/')) bucket.objects.delete(key);
    rmSync(join(out, '.stxpress/published'), { recursive: true });
    const other = { body: Buffer.from('mine'), type: undefined, caching: undefined };
    bucket.objects.set('mine.txt', other);
    bucket.objects.set('index.html', other);
    bucket.changes.length = 0;
    await expect(publish(out, bucket)).rejects.toMatchObject({ failure: { code: 'target-foreign' } });
    expect(bucket.changes).toEqual([]);
    expect(await publish(out, bucket, { adopt: true })).toMatchObject({ sent: 1, removed: 0 });
    expect(bucket.objects.get('mine.txt')).toBe(other);
    bucket.objects.delete('mine.txt');
    expectIs(bucket, out);
  });

  test('error: more would be removed than is allowed, a file is damaged, the storage refuses: nothing is lost', async () => {
    const [out, bucket] = [newBuild(), await openBucket()];
    await publish(out, bucket);
    const before = treeOf(bucket);
    build(out, 'other');
    await expect(publish(out, bucket, { maxDeletes: 3 })).rejects.toThrow(/--max-deletes \d+$/);
    expect([...treeOf(bucket)]).toEqual([...before]);
    bucket.fault = () => undefined;
    const damaged = join(out, 'metadata/v1/index.json');
    const whole = readFileSync(damaged);
    writeFileSync(damaged, 'x');
    await expect(publish(out, bucket)).rejects.toMatchObject({ failure: { code: 'dist-damaged' } });
    expect(treeOf(bucket).get('metadata/v1/index.json')).toBe(before.get('metadata/v1/index.json'));
    writeFileSync(damaged, whole);
    await publish(out, bucket);
    expectIs(bucket, out);
  });

  test('behavior: a folder is a storage too', async () => {
    const out = newBuild();
    const to = join(tempFolder(), 'public');
    const publishTo = () => publish(out, { url: 'http://127.0.0.1:1' } as Bucket, { target: new FolderTarget(to) });
    await publishTo();
    const first = readTree(to);
    expect([...first]).toEqual([...readTree(out)]);
    build(out, 'other');
    await publishTo();
    expect([...readTree(to)]).toEqual([...readTree(out)]);
    expect(readTree(to).size).toBeLessThan(first.size);
    const foreign = join(tempFolder(), 'foreign');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'mine.txt'), '');
    const other = publish(out, { url: 'http://127.0.0.1:1' } as Bucket, { target: new FolderTarget(foreign) });
    await expect(other).rejects.toMatchObject({ failure: { code: 'target-foreign' } });
  });
});

describe('stxpress publish', () => {
  test('behavior: killed at random and run again, it ends in the same tree', async () => {
    const [out, bucket, random] = [newBuild(), await openBucket(), new Random(7)];
    const cwd = join(out, '..');
    const args = ['publish', '--to', 's3://site', '--endpoint', bucket.url, '--requests', '4'];
    bucket.fault = () => 'slow';
    let kills = 0;
    for (let run = 0; run < 6; run++) {
      if (run === 3) build(out, 'other');
      const child = spawnCli(args, { cwd, env: ENVIRONMENT });
      const closed = new Promise<NodeJS.Signals | null>((resolve) => child.on('close', (_, signal) => resolve(signal)));
      const timer = setTimeout(() => child.kill('SIGKILL'), random.within(350, 1_200));
      if ((await closed) === 'SIGKILL') kills++;
      clearTimeout(timer);
    }
    expect(kills).toBeGreaterThan(2);
    bucket.fault = () => undefined;
    expect(await runCli(args, { cwd, env: ENVIRONMENT })).toMatchObject({ status: 0 });
    expectIs(bucket, out);
    expectAtRest(bucket);
  });

  test('behavior: --dry-run says what is sent and removed, and changes nothing', async () => {
    const [out, bucket] = [newBuild(), await openBucket()];
    const cwd = join(out, '..');
    const args = ['publish', '--to', 's3://site/below', '--endpoint', bucket.url];
    expect(await runWarm(args, { cwd, env: ENVIRONMENT })).toMatchObject({ status: 0 });
    build(out, 'other');
    const before = bucket.changes.length;
    const { stdout } = await runWarm([...args, '--dry-run'], { cwd, env: ENVIRONMENT });
    expect(bucket.changes.length).toBe(before);
    const said = [...stdout.matchAll(/^(send|remove) (\S+)/gm)].map(([, action, path]) => `${action} ${path}`);
    expect(await runWarm(args, { cwd, env: ENVIRONMENT })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Published dist to s3:\/\/site\/below in/),
    });
    const done = bucket.changes.slice(before).filter((change) => !change.includes('.stxpress/'));
    const meant = done.map((change) => change.replace('PUT below/', 'send ').replace('DELETE below/', 'remove '));
    expect(said.toSorted()).toEqual(meant.toSorted());
    expect([...treeOf(bucket, 'below/')]).toEqual([...readTree(out)]);
  });

  test('error: what is missing or wrong is named', async () => {
    const bucket = await openBucket();
    const [out, cwd] = [newBuild(), tempFolder()];
    const run = (args: string[], env: Record<string, string> = ENVIRONMENT, folder = join(out, '..')) =>
      runWarm(['publish', ...args], { cwd: folder, env: { HOME: cwd, ...env } });
    const to = ['--to', 's3://site', '--endpoint', bucket.url];
    expect((await run([])).stderr).toContain('Say where to publish with --to');
    expect((await run(['--to', 'site'])).stderr).toContain('--to is "site". It takes s3://bucket');
    expect((await run(to, {})).stderr).toContain('There are no credentials');
    expect((await run(to, ENVIRONMENT, cwd)).stderr).toContain('There is no build in dist');
    expect(await run(['--to', 's3://other', '--endpoint', bucket.url])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('NoSuchBucket'),
    });
    const others = { ...ENVIRONMENT, AWS_ACCESS_KEY_ID: 'OTHER' };
    expect(await run(to, others)).toMatchObject({ status: 1, stderr: expect.stringContaining('AccessDenied') });
    bucket.objects.set('.stxpress/publishing.zst', {
      body: zstdCompressSync('{"token":"t","by":"host, process 1","since":"2026-01-01T00:00:00.000Z"}\n'),
      type: undefined,
      caching: undefined,
    });
    expect(await run(to)).toMatchObject({
      status: 75,
      stderr: expect.stringMatching(/host, process 1, since 2026-01-01T00:00:00\.000Z is publishing to s3:\/\/site/),
    });
    bucket.objects.clear();
    const credentials = join(cwd, 'credentials');
    writeFileSync(
      credentials,
      '[other]\naws_access_key_id = NO\n\n[work]\naws_access_key_id = KEY\naws_secret_access_key = SECRET\n',
    );
    // The tools of AWS read the environment of the process.
    const env = { HOME: cwd, AWS_PROFILE: 'work', AWS_SHARED_CREDENTIALS_FILE: credentials };
    expect(await runCli(['publish', ...to], { cwd: join(out, '..'), env })).toMatchObject({ status: 0 });
    expectIs(bucket, out);
  });
});
