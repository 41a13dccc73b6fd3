// Tests two publishers at once: the first one that notices the other stops, and the next publish repairs the site.
// interference.test.ts tests random interleavings.
import { expect, test } from 'vitest';
import { openBucket, treeOf } from '../support/bucket.ts';
import { expectIs, publish, publishSome } from '../support/publish-to.ts';
import { build, newBuild } from './versions.ts';

const LOCKED = { failure: { code: 'locked', retryable: true } };

test('a publisher that is overtaken stops, and the other one lists the bucket again', async () => {
  const [first, second, bucket] = [newBuild(), newBuild(), await openBucket()];
  await publish(first, bucket);
  build(first, 'other');
  build(second, 'second');
  // While the first publisher waits to write its last file, the second one publishes its entire build.
  let isTaken = false;
  bucket.fault = async (method, key) => {
    if (isTaken || method !== 'PUT' || key !== 'metadata/v1/index.json') return undefined;
    isTaken = true;
    await publish(second, bucket);
    bucket.changes.length = 0;
    return undefined;
  };
  await expect(publish(first, bucket, { concurrency: 1 })).rejects.toMatchObject(LOCKED);
  expect(bucket.changes).toEqual(['PUT metadata/v1/index.json', 'PUT .stxpress/publisher']);
  expect(await publish(second, bucket)).toMatchObject({ sent: 1, removed: 0 });
  expectIs(bucket, second);
  await publish(first, bucket);
  expectIs(bucket, first);
});

test('a publisher changes nothing if another one published since it read the state', async () => {
  const [first, second, bucket] = [newBuild(), newBuild(), await openBucket()];
  await publish(first, bucket);
  build(first, 'other');
  build(second, 'third');
  let isTaken = false;
  bucket.fault = async (method, key) => {
    if (isTaken || method !== 'PUT' || key !== '.stxpress/publisher') return undefined;
    isTaken = true;
    await publish(second, bucket);
    return undefined;
  };
  await expect(publish(first, bucket)).rejects.toMatchObject(LOCKED);
  expectIs(bucket, second);
  bucket.fault = () => undefined;
  await publish(first, bucket);
  expectIs(bucket, first);
});

test('a publisher continues an interrupted publish of another machine', async () => {
  const [first, second, bucket] = [newBuild(), newBuild(), await openBucket()];
  await publish(first, bucket);
  build(first, 'third');
  build(second, 'third');
  await publishSome(first, bucket);
  const before = treeOf(bucket);
  const { sent } = await publish(second, bucket);
  expectIs(bucket, second);
  const missing = [...treeOf(bucket)].filter(([path, text]) => before.get(path) !== text);
  expect(sent).toBe(missing.length);
});
