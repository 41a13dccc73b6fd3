// stxpress follow as a node and an operator see it: in the end the same bytes as the archive. That it may be killed is
// tested in reliability/follow.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spoolFiles } from '#follow/spool.ts';
import { openBucket } from '../support/bucket.ts';
import { post, startFollow } from '../support/follow-cli.ts';
import { runCli } from '../support/run-cli.ts';
import { readTree, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What a node posts: path and body, as the lines of an archive have them. */
const payloadsOf = (archive: string) =>
  readFileSync(archive, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, , path = '', json = ''] = line.split('\t');
      // The text form of COPY doubles backslashes.
      return { path, body: json.replaceAll('\\\\', '\\') };
    });

const expectedTree = async () => {
  const cwd = tempFolder();
  expect(await runCli(['index', '--archive', SAMPLE_ARCHIVE, '--no-fetch', '--no-vm'], { cwd })).toMatchObject({
    status: 0,
  });
  expect(await runCli(['build'], { cwd })).toMatchObject({ status: 0 });
  return readTree(join(cwd, 'dist'));
};

test('behavior: it publishes what it built, and a new index begins with all of the spool', async () => {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'public'));
  const { child, url } = await startFollow(cwd, ['--publish', 'file:public'], { STXPRESS_NO_VM: '1' });
  for (const payload of payloadsOf(SAMPLE_ARCHIVE)) expect(await post(url, payload)).toBe(true);
  const expected = await expectedTree();
  const deadline = Date.now() + 60_000;
  const file = join(cwd, 'public/metadata/v1/index.json');
  while (
    Date.now() < deadline &&
    !(existsSync(file) && readFileSync(file, 'utf8') === expected.get('metadata/v1/index.json'))
  )
    await delay(200);
  const metrics = async () => (await fetch(`${url}/metrics`)).text();
  const isPublished = /^stxpress_step_status\{step="publish"\} 0$/m;
  while (Date.now() < deadline && !isPublished.test(await metrics())) await delay(200);
  expect(await metrics()).toMatch(isPublished);
  const status = (await (await fetch(`${url}/`)).json()) as { payloads: Record<string, number> };
  expect(status.payloads['/new_block']).toBeGreaterThan(5);
  const [closed, asked] = [once(child, 'close'), performance.now()];
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  // It waits for nobody.
  expect(performance.now() - asked).toBeLessThan(6_000);
  expect([...readTree(join(cwd, 'public'))]).toEqual([...expected]);
  const spool = join(cwd, 'data/spool');
  const archives = spoolFiles(spool).flatMap((name) => ['--archive', join(spool, name)]);
  expect(spoolFiles(spool).some((name) => name.endsWith('.zst'))).toBe(true);
  expect(await runCli(['index', '--db', 'new.sqlite', '--no-fetch', '--no-vm', ...archives], { cwd })).toMatchObject({
    status: 0,
  });
  expect(await runCli(['build', '--db', 'new.sqlite', '--out', 'new'], { cwd })).toMatchObject({ status: 0 });
  expect([...readTree(join(cwd, 'new'))]).toEqual([...expected]);

  // An index that was begun anew and lacks a file that is compressed already.
  const last = spoolFiles(spool).at(-1) ?? '';
  rmSync(join(cwd, 'data/index.sqlite'));
  expect(await runCli(['index', '--no-fetch', '--archive', join(spool, last)], { cwd })).toMatchObject({ status: 0 });
  const again = await startFollow(cwd, ['--build', '--out', 'again']);
  const contracts = [...expected.keys()].filter((path) => path.startsWith('extended/v1/contract/'));
  const isWhole = () => contracts.every((path) => existsSync(join(cwd, 'again', path)));
  const end = Date.now() + 30_000;
  while (Date.now() < end && !isWhole()) await delay(200);
  expect(isWhole()).toBe(true);
  const ended = once(again.child, 'close');
  again.child.kill('SIGTERM');
  await ended;
});

test('error: where others can connect, it must be said who may post; what is wrong is named', async () => {
  const cwd = tempFolder();
  const run = async (...args: string[]) => (await runCli(['follow', ...args], { cwd })).stderr;
  expect(await run('--listen', '0.0.0.0:0')).toContain('Say with --allow-from who may post');
  expect(await run('--listen', 'x')).toContain('--listen is "x"');
  expect(await run('--allow-from', '10.0.0.0/99')).toContain('--allow-from is "10.0.0.0/99"');
  expect(await run('--publish', 's3://a/../site')).toContain('--publish is "s3://a/../site"');
  expect(await run('--publish', 'file:dist')).toContain('overlap');
  const bucket = await openBucket();
  const env = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET' };
  const missing = await runCli(['follow', '--publish', 's3://none', '--endpoint', bucket.url], { cwd, env });
  expect(missing).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('NoSuchBucket') });
  writeFileSync(join(cwd, 'file'), '');
  expect(await run('--publish', 'file:file')).toContain('file:file cannot be used');
  expect(await run('--spool', 'file')).toContain('file');
});
