// Tests a publish while the storage or the network fails. Failures are retried or reported.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { bucketUrl } from '#publish/s3-target.ts';
import { type Bucket, type Fault, openBucket, treeOf } from '../support/bucket.ts';
import { expectIs, publish, publishSome } from '../support/publish-to.ts';
import { readTree } from '../support/sample.ts';
import { build, newBuild, putFile } from './versions.ts';

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
    'Reading s3://site/.stxpress/site.json failed with status 403 (AccessDenied: As a test has it.).',
  );
  await refusedAt('GET ', 'denied').toThrow('Listing s3://site failed with status 403');
  await refusedAt('PUT index.html', 'denied').toThrow('Writing s3://site/index.html failed with status 403');
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
  await expect(endless).rejects.toThrow('Listing s3://site does not end');
  expect(bucket.changes).toEqual([]);
});

test.each(['{}', 'null', '7', '{"generation":1}', 'no JSON'])('rejects a state with the content %s', async (text) => {
  const [out, bucket] = [newBuild(), await openBucket()];
  bucket.objects.set('.stxpress/site.json', { body: Buffer.from(text), type: undefined, caching: undefined });
  await expect(publish(out, bucket)).rejects.toThrow('has a .stxpress/site.json that stxpress did not write');
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
  expect(bucket.changes.filter((change) => change.startsWith('DELETE'))).toEqual([]);
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 0, removed: 0 });
});

test('uploads only changed files', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  bucket.changes.length = 0;
  bucket.server.requests.length = 0;
  putFile(out, 'openapi.json', '{"once":1}');
  await publish(out, bucket);
  expect(bucket.changes).toEqual(['PUT .stxpress/publisher', 'PUT .stxpress/site.json', 'PUT openapi.json']);
  expect(bucket.server.requests).toHaveLength(7);
  expectIs(bucket, out);
});

test('without a local record, uploads only files that differ from the listed ones', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  rmSync(join(out, '.stxpress/published'), { recursive: true });
  const [home] = [bucket.objects.get('index.html')];
  const other = `${home?.body}`.replace('<', '>');
  bucket.objects.set('index.html', { ...home, body: Buffer.from(other) } as never);
  putFile(out, 'openapi.json', '{"once":2}');
  expect(await publish(out, bucket)).toMatchObject({ sent: 2, removed: 0 });
  expectIs(bucket, out);
});

test('without a local record, uploads all files if the ETags are no MD5', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  bucket.isEncrypted = true;
  await publish(out, bucket);
  expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 0 });
  const elsewhere = newBuild();
  expect(await publish(elsewhere, bucket)).toMatchObject({ sent: readTree(out).size, removed: 0 });
  build(elsewhere, 'other');
  await publish(elsewhere, bucket);
  expectIs(bucket, elsewhere);
});

/** Replaces the headers of all objects by the headers of a version with other rules. */
const ageHeaders = (bucket: Bucket) => {
  for (const [key, object] of bucket.objects) bucket.objects.set(key, { ...object, type: 'text/plain' });
  const site = bucket.objects.get('.stxpress/site.json');
  const body = Buffer.from(JSON.stringify({ ...JSON.parse(`${site?.body}`), headerRules: 'of another version' }));
  bucket.objects.set('.stxpress/site.json', { ...site, body } as never);
};

test('uploads all objects again when the rules of their headers change', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  ageHeaders(bucket);
  for (const name of readdirSync(join(out, '.stxpress/published'))) {
    const record = new Database(join(out, '.stxpress/published', name));
    record.exec("update info set value = 'of another version' where key = 'headerRules'");
    record.close();
  }
  expect(await publish(out, bucket)).toMatchObject({ sent: readTree(out).size, removed: 0 });
  expectIs(bucket, out);
  expect(bucket.objects.get('openapi.json')?.type).toBe('application/json');
  expect(await publish(out, bucket)).toMatchObject({ sent: 0, removed: 0 });
});

test('continues after kills to upload all objects with new headers', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  ageHeaders(bucket);
  await publishSome(newBuild(), bucket, 50);
  // Another machine cannot know which objects have the new headers.
  const elsewhere = newBuild();
  await publishSome(elsewhere, bucket, 60);
  const { sent } = await publish(elsewhere, bucket);
  expect(sent).toBeLessThan(readTree(out).size - 40);
  expectIs(bucket, out);
  const types = [...bucket.objects].filter(([key, { type }]) => type === 'text/plain' && !key.endsWith('.txt'));
  expect(types.map(([key]) => key)).toEqual(['.stxpress/publisher']);
  expect(await publish(newBuild(), bucket)).toMatchObject({ sent: 0, removed: 0 });
});

test('names a bucket with dots in the path at AWS', () => {
  const aws = { endpoint: undefined, region: 'eu-central-1' };
  expect(bucketUrl({ ...aws, bucket: 'tokens' })).toBe('https://tokens.s3.eu-central-1.amazonaws.com');
  expect(bucketUrl({ ...aws, bucket: 'tokens.example.org' })).toBe(
    'https://s3.eu-central-1.amazonaws.com/tokens.example.org',
  );
});
