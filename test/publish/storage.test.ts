// Tests a publish while the storage or the network fails. Failures are retried or reported.
import { hash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { bucketUrl } from '#publish/s3-target.ts';
import { type Fault, openBucket, treeOf } from '../support/bucket.ts';
import { expectAtRest, expectIs, listIn, publish } from '../support/publish-to.ts';
import { readTree } from '../support/sample.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { build, newBuild, putBuild } from './versions.ts';

/** Changes a file of a build and the build's record, as a later build would. */
const changeFile = (out: string, path: string, text: string) => {
  writeFileSync(join(out, path), text);
  const record = new Database(join(out, '.stxpress/record.sqlite'));
  const sha256 = hash('sha256', text, 'buffer');
  record.prepare('update file set sha256 = ?, bytes = ? where path = ?').run(sha256, text.length, path);
  record.close();
};

test.each<[Fault, string]>([
  ['late', 'PUT index.html'],
  ['damaged', 'PUT index.html'],
  ['late', 'GET .stxpress/site.json'],
])('retries a request that is once %s at %s', async (fault, request) => {
  const [out, bucket] = [newBuild(), await openBucket()];
  let faults = 0;
  bucket.fault = (method, key) => (`${method} ${key}` === request && faults++ === 0 ? fault : undefined);
  await publish(out, bucket);
  expect(faults).toBeGreaterThan(1);
  expectIs(bucket, out);
});

test('retries a body that is always damaged a few times, and continues later', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  let faults = 0;
  bucket.fault = (method, key) => (method === 'PUT' && key === 'index.html' && ++faults ? 'damaged' : undefined);
  const ended = publish(out, bucket);
  await expect(ended).rejects.toMatchObject({ failure: { code: 'publish-incomplete', retryable: true } });
  await expect(ended).rejects.not.toThrow('credentials');
  expect(faults).toBeLessThan(10);
  bucket.fault = () => undefined;
  await publish(out, bucket);
  expectIs(bucket, out);
});

test('names the rejected request, or the wrong clock', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  const refusedAt = (request: string, fault: Fault) => {
    bucket.fault = (method, key) => (`${method} ${key}` === request ? fault : undefined);
    return expect(publish(out, bucket)).rejects;
  };
  await refusedAt('GET .stxpress/site.json', 'denied').toThrow(
    's3://site answers GET .stxpress/site.json with status 403 (AccessDenied: As a test has it.).',
  );
  await refusedAt('GET ', 'denied').toThrow('answers GET the list of * with status 403');
  await refusedAt('PUT index.html', 'denied').toThrow('answers PUT index.html with status 403');
  await refusedAt('PUT index.html', 'skewed').toThrow(
    /The time of the storage is .* GMT, but this machine has .* GMT\. Set the clock\.$/,
  );
});

test('quotes a message with impossible characters, and stops at a list without end', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  bucket.fault = () => 'denied';
  bucket.message = '&lt;&#x110000;&#ff;&#65;';
  await expect(publish(out, bucket)).rejects.toThrow('(AccessDenied: <&#x110000;&#ff;A)');
  bucket.fault = () => undefined;
  bucket.listToken = '0';
  const endless = publish(out, bucket);
  await expect(endless).rejects.toMatchObject({ failure: { code: 'target-refused' } });
  await expect(endless).rejects.toThrow('lists * without end');
  expect(bucket.changes).toEqual([]);
});

test.each(['{}', 'null', '7', '{"token":1}', 'no JSON'])('rejects a lock with the content %s', async (text) => {
  const [out, bucket] = [newBuild(), await openBucket()];
  const body = zstdCompressSync(Buffer.from(`${text}\n`));
  bucket.objects.set('.stxpress/publishing.zst', { body, type: undefined, caching: undefined });
  await expect(publish(out, bucket)).rejects.toMatchObject({ failure: { code: 'target-foreign' } });
  expect(bucket.changes).toEqual([]);
});

test('rejects a target with foreign files, and publishes next to them with --replace', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  // The first of the three keys is in the folder that publishers use for their state.
  const other = { body: Buffer.from('mine'), type: undefined, caching: undefined };
  const foreignKeys = ['.stxpress/record.sqlite', 'mine.txt', 'index.html'];
  for (const key of foreignKeys) bucket.objects.set(key, other);
  const foreign = publish(out, bucket);
  await expect(foreign).rejects.toMatchObject({ failure: { code: 'target-foreign' } });
  await expect(foreign).rejects.toThrow('such as index.html');
  expect(bucket.changes).toEqual([]);
  expect(await publish(out, bucket, { replace: true })).toMatchObject({ sent: readTree(out).size, removed: 0 });
  expect(treeOf(bucket)).toEqual(new Map([...readTree(out)]).set('mine.txt', 'mine'));
  for (const key of foreignKeys.slice(0, 2)) expect(bucket.objects.get(key)).toBe(other);
  expect(bucket.changes.filter((change) => change.startsWith('DELETE'))).toEqual(['DELETE .stxpress/publishing.zst']);
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 0, removed: 0 });
});

test('uploads only changed files, and lists old and new paths meanwhile', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  const before = listIn(bucket);
  bucket.changes.length = 0;
  changeFile(out, 'openapi.json', '{"once":1}');
  const meanwhile: string[][] = [];
  bucket.onChange = (key) => key === 'openapi.json' && meanwhile.push(listIn(bucket));
  await publish(out, bucket);
  bucket.onChange = () => {};
  expect(bucket.changes.filter((change) => change.startsWith('PUT'))).toEqual([
    'PUT .stxpress/publishing.zst',
    'PUT .stxpress/files.zst',
    'PUT .stxpress/site.json',
    'PUT openapi.json',
    'PUT .stxpress/files.zst',
  ]);
  const unknown = before.map((line) => (line.endsWith('  openapi.json') ? '?  openapi.json' : line));
  expect(meanwhile).toEqual([unknown]);
  expectAtRest(bucket);
  // A machine that has no record of published files reads the list in the bucket.
  const elsewhere = join(tempFolder(), 'dist');
  putBuild(out, elsewhere);
  rmSync(join(elsewhere, '.stxpress/published'), { recursive: true });
  expect(await publish(elsewhere, bucket)).toMatchObject({ sent: 0, removed: 0 });
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 1, removed: 0 });
});

test('uploads all files and removes none if the list is missing', async () => {
  const [out, bucket, warnings] = [newBuild(), await openBucket(), [] as string[]];
  const reporter = { ...silentReporter, warn: (message: string) => void warnings.push(message) };
  await publish(out, bucket);
  const before = treeOf(bucket);
  bucket.objects.delete('.stxpress/files.zst');
  const elsewhere = newBuild();
  rmSync(join(elsewhere, '.stxpress/published'), { recursive: true, force: true });
  build(elsewhere, 'third');
  const { sent, removed } = await publish(elsewhere, bucket, { reporter });
  expect([sent, removed]).toEqual([readTree(elsewhere).size, 0]);
  expect(warnings).toEqual([expect.stringContaining('The list of published files in s3://site is missing')]);
  expect(treeOf(bucket)).toEqual(new Map([...before, ...readTree(elsewhere)]));
  // A machine that has a record of published files does not read the list.
  const again = await openBucket();
  await publish(out, again);
  again.objects.delete('.stxpress/files.zst');
  changeFile(out, 'openapi.json', '{"once":2}');
  expect(await publish(out, again, { reporter })).toMatchObject({ sent: 1 });
  expect(warnings).toHaveLength(1);
  expectIs(again, out);
});

/** Invalid lists: a line without a line end, and a line that is longer than any valid line. */
const [NO_END, ENDLESS] = [`${'0'.repeat(16)}  a`, 'x'.repeat(50_000_000)];

test('rejects a list that stxpress did not write', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  const list = bucket.objects.get('.stxpress/files.zst');
  if (list === undefined) throw new Error('the list is missing');
  for (const body of [
    Buffer.from('x'),
    list.body.subarray(0, -9),
    ...['mine.txt\n', NO_END, ENDLESS].map((text) => zstdCompressSync(text)),
  ]) {
    bucket.objects.set('.stxpress/files.zst', { ...list, body });
    await expect(publish(newBuild(), bucket)).rejects.toThrow('has a .stxpress/files.zst that stxpress did not write');
  }
  for (const path of ['../mine.txt', 'a/../../mine.txt', './x', 'a//x']) {
    bucket.objects.set('.stxpress/files.zst', { ...list, body: zstdCompressSync(`${'0'.repeat(16)}  ${path}\n`) });
    await expect(publish(newBuild(), bucket)).rejects.toThrow(`names ${path}, which is not a file of a site`);
  }
});

test('uploads all objects again when the rules of their headers change', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  const site = bucket.objects.get('.stxpress/site.json');
  const body = Buffer.from(JSON.stringify({ ...JSON.parse(`${site?.body}`), headerRules: 'of another version' }));
  bucket.objects.set('.stxpress/site.json', { ...site, body } as never);
  for (const [key, object] of bucket.objects) bucket.objects.set(key, { ...object, type: 'text/plain' });
  expect(await publish(out, bucket)).toMatchObject({ sent: readTree(out).size, removed: 0 });
  expectIs(bucket, out);
  expect(bucket.objects.get('openapi.json')?.type).toBe('application/json');
  expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 0 });
});

test('works with a storage that lists new objects late', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  bucket.lists = (key) => !key.startsWith('.stxpress/');
  expect(await publish(newBuild(), bucket)).toEqual({ sent: 0, sentBytes: 0, removed: 0 });
  expect(await publish(out, bucket)).toEqual({ sent: 0, sentBytes: 0, removed: 0 });
});

test('takes over a publish that was interrupted twice, with all of its changes', async () => {
  const [out, elsewhere, bucket] = [newBuild(), newBuild(), await openBucket()];
  await publish(out, bucket);
  const paths = ['openapi.json', 'index.html', 'explorer/app.js', 'explorer/app.css'];
  for (const path of paths) changeFile(out, path, `other ${path}`);
  for (let run = 0; run < 2; run++) {
    const stopped = new AbortController();
    bucket.onChange = (key) => !key.startsWith('.stxpress/') && stopped.abort();
    await expect(publish(out, bucket, { concurrency: 1, signal: stopped.signal })).rejects.toThrow(
      'Publish again to continue',
    );
  }
  bucket.onChange = () => {};
  await publish(elsewhere, bucket, { takeOver: true });
  expectIs(bucket, elsewhere);
});

test('names a bucket with dots in the path at AWS', () => {
  const aws = { endpoint: undefined, region: 'eu-central-1' };
  expect(bucketUrl({ ...aws, bucket: 'tokens' })).toBe('https://tokens.s3.eu-central-1.amazonaws.com');
  expect(bucketUrl({ ...aws, bucket: 'tokens.example.org' })).toBe(
    'https://s3.eu-central-1.amazonaws.com/tokens.example.org',
  );
});
