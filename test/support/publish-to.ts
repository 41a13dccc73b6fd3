// Publishes builds to a bucket on loopback, and checks the objects in the bucket.

import { expect } from 'vitest';
import { runPublish } from '#publish/run-publish.ts';
import { openS3Target } from '#publish/s3-target.ts';
import { PUBLISHER_KEY, type PublishOptions, SITE_KEY } from '#publish/target.ts';
import { type Bucket, treeOf } from './bucket.ts';
import { readTree } from './sample.ts';
import { silentReporter } from './silent-reporter.ts';

export const targetOf = (bucket: Bucket, concurrency = 32) =>
  openS3Target({
    bucket: 'site',
    prefix: '',
    endpoint: bucket.url,
    region: 'us-east-1',
    credentials: async () => ({ accessKeyId: 'KEY', secretAccessKey: 'SECRET' }),
    concurrency,
    signal: new AbortController().signal,
    speedUp: 20,
  });

export const publish = async (out: string, bucket: Bucket, over: Partial<PublishOptions> = {}) => {
  await using target = targetOf(bucket, over.concurrency);
  return await runPublish({
    out,
    target,
    concurrency: 32,
    maxDeletes: 1_000,
    replace: false,
    reporter: silentReporter,
    signal: new AbortController().signal,
    ...over,
  });
};

/** Starts to publish, and stops after this number of changed objects. */
export const publishSome = async (out: string, bucket: Bucket, changes = 20, over: Partial<PublishOptions> = {}) => {
  const stopped = new AbortController();
  const enough = bucket.changes.length + changes;
  bucket.onChange = () => bucket.changes.length > enough && stopped.abort();
  await expect(publish(out, bucket, { ...over, signal: stopped.signal })).rejects.toMatchObject({
    failure: { code: 'publish-incomplete', retryable: true },
  });
  bucket.onChange = () => {};
};

/** Publishes repeatedly, despite the faults of the bucket, until it succeeds. */
export const publishUntilDone = async (out: string, bucket: Bucket, runs: number) => {
  for (let run = 0; run < runs; run++) {
    try {
      return await publish(out, bucket);
    } catch (error) {
      expect(error).toMatchObject({ failure: { retryable: true } });
    }
  }
  throw new Error('publishing did not succeed within the maximum number of runs');
};

/** Checks that the bucket contains exactly the files of the build, and the two objects of publishers. */
export const expectIs = (bucket: Bucket, out: string) => {
  const internalKeys = [...bucket.objects.keys()].filter((key) => key.startsWith('.stxpress/'));
  expect(internalKeys.toSorted()).toEqual([PUBLISHER_KEY, SITE_KEY]);
  const [sent, built] = [treeOf(bucket), readTree(out)];
  expect([...sent.keys()]).toEqual([...built.keys()]);
  expect(sent).toEqual(built);
};

/** Returns missing files: files that a list or a page in the bucket refers to, but that the bucket lacks. */
export const missingIn = ({ objects }: Pick<Bucket, 'objects'>): string[] => {
  const named = [...objects].flatMap(([path, { body }]) => {
    if (/^metadata\/v1\/ft\/pages\/|^metadata\/v1\/ft\/index/.test(path))
      return [...`${body}`.matchAll(/"contract_principal":"([^"]+)"/g)].map(([, id]) => `metadata/v1/ft/${id}`);
    if (path === 'search/contracts/index.json')
      return [...`${body}`.matchAll(/"([0-9a-f]{12})"/g)].map(([, id]) => `search/contracts/${id}`);
    if (path === 'index.html')
      return [...`${body}`.matchAll(/(?:href|src)="([a-z/.]+\.(?:js|css|json))[?"]/g)].map(([, file]) => file ?? '');
    return [];
  });
  return named.filter((path) => !objects.has(path));
};
