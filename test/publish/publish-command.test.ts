// Tests the command `stxpress publish`: a dry run, and its errors.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('names a missing bucket and wrong credentials', async () => {
  const bucket = await openBucket();
  const [out, cwd] = [newBuild(), tempFolder()];
  const run = (args: string[], env: Record<string, string> = ENVIRONMENT, folder = join(out, '..')) =>
    runWarm(['publish', ...args], { cwd: folder, env: { HOME: cwd, ...env } });
  const to = ['--to', 's3://site', '--endpoint', bucket.url];
  expectRefused(await run(['--to', 's3://other', '--endpoint', bucket.url]), 'NoSuchBucket');
  const foreignKey = { ...ENVIRONMENT, AWS_ACCESS_KEY_ID: 'OTHER' };
  expectRefused(await run(to, foreignKey), 'AccessDenied');
  const credentials = join(cwd, 'credentials');
  writeFileSync(
    credentials,
    '[other]\naws_access_key_id = NO\n\n[work]\naws_access_key_id = KEY\naws_secret_access_key = SECRET\n',
  );
  const env = { AWS_PROFILE: 'work', AWS_SHARED_CREDENTIALS_FILE: credentials };
  expect(await run(to, env)).toMatchObject({ status: 0 });
  expectIs(bucket, out);
});

test('signs for the region of the flag or the environment, which AWS requires', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  const run = (args: string[], env: Record<string, string>) =>
    runWarm(['publish', '--to', 's3://site', ...args], { cwd: join(out, '..'), env: { ...ENVIRONMENT, ...env } });
  const endpoint = ['--endpoint', bucket.url];
  for (const [args, env] of [
    [endpoint, {}],
    [endpoint, { AWS_DEFAULT_REGION: 'of-default' }],
    [endpoint, { AWS_DEFAULT_REGION: 'of-default', AWS_REGION: 'of-variable' }],
    [[...endpoint, '--region', 'of-flag'], { AWS_REGION: 'of-variable' }],
  ] as const)
    expect(await run([...args], env)).toMatchObject({ status: 0 });
  expect([...bucket.regions]).toEqual(['us-east-1', 'of-default', 'of-variable', 'of-flag']);
  expectRefused(await run([], {}), 'The region of s3://site is unknown. Name it with --region or AWS_REGION');
});

test('names another publisher at the same time, and exits with status 75', async () => {
  const [out, bucket] = [newBuild(), await openBucket()];
  bucket.onChange = (key) => {
    const publisher = bucket.objects.get('.stxpress/publisher');
    if (key === 'index.html') bucket.objects.set('.stxpress/publisher', { ...publisher, body: '' } as never);
  };
  const run = () =>
    runWarm(['publish', '--to', 's3://site', '--endpoint', bucket.url], { cwd: join(out, '..'), env: ENVIRONMENT });
  expectRefused(await run(), 'Another publisher publishes to s3://site at the same time', 75);
  bucket.onChange = () => {};
  expect(await run()).toMatchObject({ status: 0 });
  expectIs(bucket, out);
});
