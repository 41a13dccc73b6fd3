// What a storage and the way to it may do to a publish: what passes is tried again, what does not is named.
import { hash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { bucketUrl } from '#publish/s3-target.ts';
import { type Fault, openBucket } from '../support/bucket.ts';
import { expectAtRest, expectIs, publish } from '../support/publish-to.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { newBuild, putBuild } from './versions.ts';

/** As a build would. */
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
  ['late', 'GET .stxpress/published.json'],
])('behavior: once %s at %s: it is tried again', async (fault, request) => {
  const [out, bucket] = [newBuild(), await openBucket()];
  let faults = 0;
  bucket.fault = (method, key) => (`${method} ${key}` === request && faults++ === 0 ? fault : undefined);
  await publish(out, bucket);
  expect(faults).toBeGreaterThan(1);
  expectIs(bucket, out);
});

test('behavior: a body that never arrives whole is tried a few times, and publishing again goes on', async () => {
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

test('error: a refusal names the request, and a clock that is wrong', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  const refusedAt = (request: string, fault: Fault) => {
    bucket.fault = (method, key) => (`${method} ${key}` === request ? fault : undefined);
    return expect(publish(out, bucket)).rejects;
  };
  await refusedAt('GET .stxpress/published.json', 'denied').toThrow(
    's3://site answers GET .stxpress/published.json with status 403 (AccessDenied: As a test has it.).',
  );
  await refusedAt('GET ', 'denied').toThrow('answers GET the list of .stxpress/* with status 403');
  await refusedAt('PUT index.html', 'denied').toThrow('answers PUT index.html with status 403');
  await refusedAt('PUT index.html', 'skewed').toThrow(/It is .* GMT there, and .* GMT here: set the clock\.$/);
});

test('error: what others wrote is found, and left alone; what is adopted has the headers of the build', async () => {
  const [out, bucket, elsewhere] = [newBuild(), await openBucket(), await openBucket()];
  await publish(out, elsewhere);
  // Whatever lies where publishers keep their own.
  const other = { body: Buffer.from('mine'), type: undefined, caching: undefined };
  for (const key of ['.stxpress/record.sqlite', 'mine.txt']) bucket.objects.set(key, other);
  const foreign = publish(newBuild(), bucket);
  await expect(foreign).rejects.toMatchObject({ failure: { code: 'target-foreign' } });
  await expect(foreign).rejects.toThrow('such as mine.txt');
  expect(bucket.changes).toEqual([]);
  for (const [key, object] of elsewhere.objects)
    if (!key.startsWith('.stxpress/')) bucket.objects.set(key, { ...object });
  bucket.objects.set('index.html', { ...elsewhere.objects.get('index.html'), type: 'text/plain' } as never);
  bucket.objects.set('openapi.json', { ...elsewhere.objects.get('openapi.json'), caching: undefined } as never);
  expect(await publish(newBuild(), bucket, { adopt: true })).toMatchObject({ sent: 2, removed: 0 });
  for (const key of ['.stxpress/record.sqlite', 'mine.txt']) expect(bucket.objects.get(key)).toBe(other);
  bucket.objects.delete('mine.txt');
  const served = ({ objects }: typeof bucket) => [...objects].filter(([key]) => !key.startsWith('.stxpress/'));
  expect(served(bucket).toSorted()).toEqual(served(elsewhere).toSorted());
});

test('behavior: of what is published, only what changed is sent; parts that nothing names go', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  const state = () =>
    JSON.parse(bucket.objects.get('.stxpress/published.json')?.body.toString() ?? '') as { parts: string[] };
  await publish(out, bucket);
  const [first] = state().parts;
  const whole = bucket.objects.get(first ?? '')?.body.length ?? 0;
  bucket.changes.length = 0;
  changeFile(out, 'openapi.json', '{"once":1}');
  await publish(out, bucket);
  expect(state().parts).toEqual([first, expect.any(String)]);
  expect(bucket.changes.filter((change) => change.includes('/published'))).toEqual([
    `PUT ${state().parts[1]}`,
    'PUT .stxpress/published.json',
  ]);
  expect(bucket.objects.get(state().parts[1] ?? '')?.body.length).toBeLessThan(whole / 20);
  expectAtRest(bucket);
  // A machine without a record reads both.
  const elsewhere = join(tempFolder(), 'dist');
  putBuild(out, elsewhere);
  rmSync(join(elsewhere, '.stxpress/published'), { recursive: true });
  expect(await publish(elsewhere, bucket)).toMatchObject({ sent: 0, removed: 0 });
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 1, removed: 0 });
  expect(state().parts).toHaveLength(3);

  // As many as there may be: they become one.
  const parts = Array.from({ length: 128 }, (_, index) => state().parts[Math.min(index, 2)]);
  const stored = bucket.objects.get('.stxpress/published.json');
  const body = Buffer.from(JSON.stringify({ ...state(), parts }));
  if (stored !== undefined) bucket.objects.set('.stxpress/published.json', { ...stored, body });
  expect(await publish(elsewhere, bucket)).toMatchObject({ sent: 1, removed: 0 });
  expect(state().parts).toHaveLength(1);
  expectAtRest(bucket);
  expect(await publish(out, bucket)).toMatchObject({ sent: 0 });
});

test('behavior: a storage that lists after a while what is there is known by what it answers', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  bucket.lists = (key) => !key.startsWith('.stxpress/');
  expect(await publish(newBuild(), bucket)).toEqual({ sent: 0, sentBytes: 0, removed: 0 });
  expect(await publish(out, bucket)).toEqual({ sent: 0, sentBytes: 0, removed: 0 });
});

test('behavior: what a publish did before it went on is known to who takes it over', async () => {
  const [out, elsewhere, bucket] = [newBuild(), newBuild(), await openBucket()];
  await publish(out, bucket);
  const paths = ['openapi.json', 'index.html', 'explorer/app.js', 'explorer/app.css'];
  for (const path of paths) changeFile(out, path, `other ${path}`);
  for (let run = 0; run < 2; run++) {
    const stopped = new AbortController();
    bucket.onChange = (key) => !key.startsWith('.stxpress/') && stopped.abort();
    await expect(publish(out, bucket, { concurrency: 1, signal: stopped.signal })).rejects.toThrow('goes on');
  }
  bucket.onChange = () => {};
  await publish(elsewhere, bucket, { takeOver: true });
  expectIs(bucket, elsewhere);
});

test('default: at AWS a bucket with dots is in the path, where its certificate holds', () => {
  const aws = { endpoint: undefined, region: 'eu-central-1' };
  expect(bucketUrl({ ...aws, bucket: 'tokens' })).toBe('https://tokens.s3.eu-central-1.amazonaws.com');
  expect(bucketUrl({ ...aws, bucket: 'tokens.example.org' })).toBe(
    'https://s3.eu-central-1.amazonaws.com/tokens.example.org',
  );
});
