// Tests publishers whose lock another one takes over, and publishers that die before they have recorded their uploads.
import { expect, test } from 'vitest';
import type { Target } from '#publish/target.ts';
import { openBucket } from '../support/bucket.ts';
import { expectIs, publish, publishSome, targetOf } from '../support/publish-to.ts';
import { build, newBuild } from './versions.ts';

test('a publisher that was taken over stops, and does not change the state of the other', async () => {
  const [first, second, bucket] = [newBuild(), newBuild(), await openBucket()];
  await publish(first, bucket);
  build(first, 'other');
  build(second, 'second');
  // While the first publisher waits to write its last file, the second one takes over and publishes its entire build.
  let isTaken = false;
  bucket.fault = async (method, key) => {
    if (isTaken || method !== 'PUT' || key !== 'metadata/v1/index.json') return undefined;
    isTaken = true;
    await publish(second, bucket, { takeOver: true });
    bucket.changes.length = 0;
    return undefined;
  };
  await expect(publish(first, bucket, { concurrency: 1 })).rejects.toMatchObject({
    failure: { code: 'locked', retryable: true },
  });
  bucket.fault = () => undefined;
  expect(isTaken).toBe(true);
  // After it lost its lock, the first publisher wrote no state, and did not remove the lock of the second one.
  expect(bucket.changes.filter((change) => change.includes('.stxpress/'))).toEqual([]);
  await publish(first, bucket);
  expectIs(bucket, first);
});

test('uploads a file again if a publisher died between its upload and its record', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  build(out, 'third');
  await using target = targetOf(bucket);
  let sent = 0;
  // Only a FailureError lets a publisher end in order. Any other error ends it immediately, like a kill.
  const dying: Target = {
    ...target,
    write: async (object, options) => {
      const written = await target.write(object, options);
      if (!object.key.startsWith('.stxpress/') && ++sent === 5) throw new Error('killed');
      return written;
    },
  };
  await expect(publish(out, bucket, { target: dying, concurrency: 1 })).rejects.toThrow('killed');
  build(out, 'all');
  await publish(out, bucket);
  expectIs(bucket, out);
});

test('an interrupted publish continues after another kill before it wrote its lock again', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  await publish(out, bucket);
  build(out, 'third');
  await publishSome(out, bucket);
  bucket.fault = (method, key) => (method === 'PUT' && key.endsWith('/publishing.zst') ? 'denied' : undefined);
  await expect(publish(out, bucket)).rejects.toMatchObject({ failure: { code: 'target-refused' } });
  bucket.fault = () => undefined;
  await publish(out, bucket);
  expectIs(bucket, out);
});

test('a publisher keeps a lock that it finds just before it writes its lock', async () => {
  const [first, second, bucket] = [newBuild(), newBuild(), await openBucket()];
  bucket.knowsConditions = false;
  await publish(first, bucket);
  build(first, 'other');
  build(second, 'third');
  let reads = 0;
  bucket.fault = async (method, key) => {
    if (method !== 'GET' || key !== '.stxpress/publishing.zst' || ++reads !== 2) return undefined;
    // The second publisher reads the lock twice. Between these reads, the first one begins to publish and dies.
    await publishSome(first, bucket);
    return undefined;
  };
  await expect(publish(second, bucket)).rejects.toMatchObject({ failure: { code: 'locked' } });
  bucket.fault = () => undefined;
  expect(bucket.objects.has('.stxpress/publishing.zst')).toBe(true);
  await publish(first, bucket);
  expectIs(bucket, first);
});
