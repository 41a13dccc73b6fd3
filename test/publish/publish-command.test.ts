// Tests the command `stxpress publish`: a dry run, and its errors.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openBucket, treeOf } from '../support/bucket.ts';
import { expectIs } from '../support/publish-to.ts';
import { expectRefused, okOf, runWarm } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { build, newBuild } from './versions.ts';

const ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET' };

test('--dry-run lists the files to upload and remove, and changes nothing', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  const cwd = join(out, '..');
  const args = ['publish', '--to', 's3://site/below', '--endpoint', bucket.url];
  expect(await runWarm(args, { cwd, env: ENVIRONMENT })).toMatchObject({ status: 0 });
  build(out, 'other');
  const before = bucket.changes.length;
  const { stdout } = await runWarm([...args, '--dry-run'], { cwd, env: ENVIRONMENT });
  expect(bucket.changes.length).toBe(before);
  const planned = [...stdout.matchAll(/^(send|remove) (\S+)/gm)].map(([, action, path]) => `${action} ${path}`);
  expect(okOf(await runWarm(args, { cwd, env: ENVIRONMENT }))).toMatch(/^Published dist to s3:\/\/site\/below in/);
  const done = bucket.changes.slice(before).filter((change) => !change.includes('.stxpress/'));
  const expected = done.map((change) => change.replace('PUT below/', 'send ').replace('DELETE below/', 'remove '));
  expect(planned.toSorted()).toEqual(expected.toSorted());
  expect([...treeOf(bucket, 'below/')]).toEqual([...readTree(out)]);
});

test('names a missing bucket, wrong credentials and a lock', async () => {
  const bucket = await openBucket();
  const [out, cwd] = [newBuild(), tempFolder()];
  const run = (args: string[], env: Record<string, string> = ENVIRONMENT, folder = join(out, '..')) =>
    runWarm(['publish', ...args], { cwd: folder, env: { HOME: cwd, ...env } });
  const to = ['--to', 's3://site', '--endpoint', bucket.url];
  expectRefused(await run(['--to', 's3://other', '--endpoint', bucket.url]), 'NoSuchBucket');
  const foreignKey = { ...ENVIRONMENT, AWS_ACCESS_KEY_ID: 'OTHER' };
  expectRefused(await run(to, foreignKey), 'AccessDenied');
  bucket.objects.set('.stxpress/publishing.zst', {
    body: zstdCompressSync('{"token":"t","by":"host, process 1","since":"2026-01-01T00:00:00.000Z"}\n'),
    type: undefined,
    caching: undefined,
  });
  expectRefused(await run(to), /host, process 1, since 2026-01-01T00:00:00\.000Z is publishing to s3:\/\/site/, 75);
  bucket.objects.clear();
  const credentials = join(cwd, 'credentials');
  writeFileSync(
    credentials,
    '[other]\naws_access_key_id = NO\n\n[work]\naws_access_key_id = KEY\naws_secret_access_key = SECRET\n',
  );
  const env = { AWS_PROFILE: 'work', AWS_SHARED_CREDENTIALS_FILE: credentials };
  expect(await run(to, env)).toMatchObject({ status: 0 });
  expectIs(bucket, out);
});
