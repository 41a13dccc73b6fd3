// Uploads a build into a bucket, as a user does: every file under its path, except the build's own record.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../support/sample.ts';

/** What is used of a bucket. */
export interface R2Bucket {
  put(key: string, value: Uint8Array): Promise<unknown>;
}

const AT_ONCE = 16;

export async function fillBucket(bucket: R2Bucket, dist: string): Promise<void> {
  const files = filesBelow(dist);
  const worker = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      await bucket.put(file, readFileSync(join(dist, file)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
