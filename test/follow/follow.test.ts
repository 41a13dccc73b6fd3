// Tests `stxpress follow`, from the posts of a node to the published bytes. reliability/killed.slow.test.ts kills it.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { spoolFiles } from '#follow/spool.ts';
import { mountSmallDisk } from '../reliability/machine/mounts.ts';
import { openBucket, treeOf } from '../support/bucket.ts';
import { FOLLOW_METRICS, metricNames, metricOf } from '../support/metrics.ts';
import { expectRefused, type Followed, okOf, post, runWarm, startFollow, statusOfPost } from '../support/run-cli.ts';
import { readTree, SAMPLE_ARCHIVE, sampleTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockJson, deployJson } from '../support/transactions.ts';

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'KEY', AWS_SECRET_ACCESS_KEY: 'SECRET' };
const PATIENCE = { timeout: 60_000, interval: 200 };

/** Reads the payloads in an archive. Each has a path and a body. */
const payloadsOf = (archive: string) =>
  readFileSync(archive, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, , path = '', json = ''] = line.split('\t');
      // An archive doubles each backslash, as the text format of COPY requires.
      return { path, body: json.replaceAll('\\\\', '\\') };
    });

test('publishes the site, and fills a new index from all of the spool', async () => {
  const [cwd, bucket] = [tempFolder(), await openBucket()];
  const publishing = ['--publish', 's3://site', '--endpoint', bucket.url];
  const { child, url } = await startFollow(cwd, publishing, { ...CREDENTIALS, STXPRESS_NO_VM: '1' });
  for (const payload of payloadsOf(SAMPLE_ARCHIVE)) expect(await post(url, payload)).toBe(true);
  const expected = await sampleTree({ vm: false });
  const index = 'metadata/v1/index.json';
  await vi.waitUntil(() => treeOf(bucket).get(index) === expected.get(index), PATIENCE);
  await vi.waitUntil(async () => (await metricOf(url, 'stxpress_step_status{step="publish"}')) === '0', PATIENCE);
  expect(Number(await metricOf(url, 'stxpress_payloads_total{path="/new_block"}'))).toBeGreaterThan(5);
  const [closed, stoppedAt] = [once(child, 'close'), performance.now()];
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  // Open connections did not delay the end of the follower.
  expect(performance.now() - stoppedAt).toBeLessThan(6_000);
  expect([...treeOf(bucket)]).toEqual([...expected]);
  const spool = join(cwd, 'data/spool');
  const archives = spoolFiles(spool).flatMap((name) => ['--archive', join(spool, name)]);
  expect(spoolFiles(spool).some((name) => name.endsWith('.zst'))).toBe(true);
  okOf(await runWarm(['index', '--db', 'new.sqlite', '--offline', '--no-vm', ...archives], { cwd }));
  okOf(await runWarm(['build', '--db', 'new.sqlite', '--out', 'new'], { cwd }));
  expect([...readTree(join(cwd, 'new'))]).toEqual([...expected]);

  // The new index was made from the last file of the spool only, so the other files are missing in it.
  const last = spoolFiles(spool).at(-1) ?? '';
  rmSync(join(cwd, 'data/index.sqlite'));
  const env = { STXPRESS_NO_VM: '1' };
  okOf(await runWarm(['index', '--offline', '--archive', join(spool, last)], { cwd, env }));
  const again = await startFollow(cwd, ['--build', '--out', 'again'], env);
  const contracts = [...expected.keys()].filter((path) => path.startsWith('extended/v1/contract/'));
  await vi.waitUntil(() => contracts.every((path) => existsSync(join(cwd, 'again', path))), PATIENCE);
  await stop(again);
});

const CHAIN = { chainId: 0x53545850, clarityVersion: 2 };
/** Returns the payload of a block that deploys a contract. The contract's source has about `bytes` bytes. */
const blockOf = (id: number, bytes = 100) => {
  const source = `(define-constant a "${'x'.repeat(bytes)}")`;
  const transactions = [deployJson(`contract-${id}`, source, { ...CHAIN, nonce: id })];
  const block = { ...blockJson({ id, parent: id - 1, height: id, transactions }), burn_block_time: 1_750_747_303 };
  return { path: '/new_block', body: JSON.stringify(block) };
};
const INDEX_STATUS = 'stxpress_step_status{step="index"}';
const stop = async ({ child }: Followed) => {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
};

test('serves Prometheus metrics, reads the tip of the index after a restart, and stops immediately', async () => {
  const cwd = tempFolder();
  const followed = await startFollow(cwd, [], { STXPRESS_NO_VM: '1' });
  const { url } = followed;
  expect(followed.printed).toContain(
    'section [node] of the configuration of the node:\n\n  event_dispatcher_blocking = false\n',
  );
  expect(followed.printed).toContain(`endpoint = "${url.slice(7)}"\n  events_keys = ["*"]\n  timeout_ms = 300_000\n`);
  // The index is empty, so this metric has no value and is omitted.
  expect(await metricOf(url, 'stxpress_tip_height')).toBeUndefined();
  // If the disk is full, an empty file may stay in the spool.
  writeFileSync(join(cwd, 'data/spool/events-00000009.tsv'), '');
  expect(await post(url, blockOf(1))).toBe(true);
  expect(await post(url, blockOf(2))).toBe(true);
  expect(await post(url, { path: '/new_thing', body: '{}' })).toBe(true);
  expect((await fetch(`${url}/new_block`, { method: 'POST', body: blockOf(3).body })).status).toBe(415);
  await vi.waitFor(async () => expect(await metricOf(url, INDEX_STATUS)).toBe('0'), 30_000);

  const text = await (await fetch(`${url}/metrics`)).text();
  expect(metricNames(text)).toEqual(FOLLOW_METRICS);
  expect(text).toContain('\nstxpress_tip_height 2\n');
  expect(text).toContain('\nstxpress_payloads_total{path="/new_block"} 2\n');
  expect(text).toContain('\nstxpress_payloads_total{path="/new_burn_block"} 0\n');
  expect(text).toContain('\nstxpress_payloads_total{path="unknown"} 1\n');
  expect(text).toContain('\nstxpress_refused_total{reason="content-type"} 1\n');
  expect(text).toContain('\nstxpress_refused_total{reason="disk-full"} 0\n');
  await stop(followed);

  const again = await startFollow(cwd, [], { STXPRESS_NO_VM: '1' });
  expect(await metricOf(again.url, 'stxpress_tip_height')).toBe('2');
  expect(Number(await metricOf(again.url, 'stxpress_tip_lag_seconds'))).toBeGreaterThan(0);

  // The follower is stopped while it receives a payload, and while its command hangs.
  expect(await post(again.url, blockOf(3))).toBe(true);
  const socket = connect(Number(new URL(again.url).port), '127.0.0.1').on('error', () => {});
  socket.write('POST /new_block HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{');
  // A command may end before it is stopped. Then the next one is stopped.
  const command = await vi.waitFor(() => {
    const { stdout } = spawnSync('pgrep', ['-P', String(again.child.pid)]);
    const child = Number.parseInt(stdout.toString(), 10);
    process.kill(child, 'SIGSTOP');
    return child;
  }, PATIENCE);
  const stoppedAt = performance.now();
  await stop(again);
  expect(performance.now() - stoppedAt).toBeLessThan(5_000);
  expect(() => process.kill(command, 0)).toThrow('ESRCH');
});

test('rejects a second follower of a spool, also through a link', async () => {
  const cwd = tempFolder();
  symlinkSync('data/spool', join(cwd, 'link'));
  // With this interval, no index run starts during the test.
  const followed = await startFollow(cwd, ['--every', '1h', '--spool', 'link']);
  const long = { path: '/new_block', body: JSON.stringify({ padding: 'x'.repeat(60_000_000) }) };
  const accepted = post(followed.url, long);
  const spool = join(cwd, 'data/spool');
  expect(await runWarm(['follow', '--listen', '127.0.0.1:0'], { cwd })).toEqual({
    status: 75,
    stdout: '',
    stderr: expect.stringMatching(
      /^stxpress: Another run of stxpress is writing to the spool link \(process \d+, .*\)\. Run again when/,
    ),
  });
  expect(await accepted).toBe(true);
  expect(readFileSync(join(spool, 'events-00000001.tsv'), 'latin1').length).toBeGreaterThan(60_000_000);
  const { status, stderr } = await runWarm(['follow', '--spool', 'other', '--listen', followed.url.slice(7)], { cwd });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^stxpress: Port \d+ of 127\.0\.0\.1 is in use .* Choose another with --listen\.\n$/),
  ]);
  await stop(followed);
});

test('returns 503 on a full disk, and continues when there is space', async ({ skip }) => {
  const cwd = mountSmallDisk('16m') ?? skip('no file system can be mounted here');
  const followed = await startFollow(cwd, ['--build', '--out', join(tempFolder(), 'dist')], { STXPRESS_NO_VM: '1' });
  const { url } = followed;
  expect(await post(url, blockOf(1))).toBe(true);
  await vi.waitFor(async () => expect(await metricOf(url, 'stxpress_step_status{step="build"}')).toBe('0'), 30_000);
  // The disk is almost full: some payloads fit, but an index run does not.
  spawnSync('sh', ['-c', 'cat /dev/zero > full; truncate -s -400K full'], { cwd });
  const statuses: (number | undefined)[] = [];
  for (let id = 2; statuses.at(-1) !== 503; id++) {
    statuses.push(await statusOfPost(url, blockOf(id, 50_000)));
    expect(id).toBeLessThan(20);
  }
  expect(statuses.slice(0, -1)).toEqual(Array(statuses.length - 1).fill(200));
  const sent = statuses.length;
  const long = { path: '/new_block', body: JSON.stringify({ padding: 'x'.repeat(20_000_000) }) };
  expect(await statusOfPost(url, long)).toBe(503);
  const runs = new Set<string | undefined>();
  const startOf = () => metricOf(url, 'stxpress_step_start_time_seconds{step="index"}');
  await vi.waitFor(async () => expect(runs.add(await startOf()).size).toBe(3), 30_000);
  expect(await statusOfPost(url, blockOf(sent + 1, 50_000))).toBe(503);
  expect(Number(await metricOf(url, 'stxpress_refused_total{reason="disk-full"}'))).toBe(3);

  rmSync(join(cwd, 'full'));
  for (const id of [sent + 1, sent + 2]) expect(await statusOfPost(url, blockOf(id, 50_000))).toBe(200);
  const index = { cwd, env: { STXPRESS_OFFLINE: '1' } };
  await vi.waitFor(async () => {
    expect(await metricOf(url, INDEX_STATUS)).toBe('0');
    const { stdout } = await runWarm(['status', '--json'], index);
    expect(JSON.parse(stdout)).toMatchObject({ tip: { height: sent + 2 } });
  }, 30_000);
  await stop(followed);
});

test('names a target or a spool that cannot be used', async () => {
  const cwd = tempFolder();
  const bucket = await openBucket();
  const missing = await runWarm(['follow', '--publish', 's3://none', '--endpoint', bucket.url], {
    cwd,
    env: CREDENTIALS,
  });
  expect(missing).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('NoSuchBucket') });
  writeFileSync(join(cwd, 'file'), '');
  expectRefused(await runWarm(['follow', '--publish', 'file:file'], { cwd }), '--publish is "file:file"');
  expectRefused(await runWarm(['follow', '--spool', 'file'], { cwd }), 'file');
});
