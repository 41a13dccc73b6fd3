// stxpress follow as a node sees it: kills of both, and in the end the same bytes as the archive.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spoolFiles } from '#follow/spool.ts';
import { Random } from '../support/random.ts';
import { runCli, spawnCli } from '../support/run-cli.ts';
import { readTree, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KILLS = process.env.SOAK === '1' ? 100 : 8;
const ENVIRONMENT = { STXPRESS_NO_FETCH: '1' };

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

/** Starts it, and says where it listens. */
const follow = async (cwd: string, ...more: string[]): Promise<{ child: ChildProcess; url: string }> => {
  const args = ['follow', '--listen', '127.0.0.1:0', '--every', '1s', '--spool-file-bytes', '60000', ...more];
  const child = spawnCli(args, { cwd, env: ENVIRONMENT });
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed += chunk;
  });
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    const [, address] = /Listening at (\S+) for/.exec(printed) ?? [];
    if (address !== undefined) return { child, url: `http://${address}` };
  }
  throw new Error(`it did not listen: ${printed}`);
};

/** As a node's dispatcher: only 200 counts. */
const post = async (url: string, { path, body }: { path: string; body: string }): Promise<boolean> => {
  try {
    return (await fetch(`${url}${path}`, { method: 'POST', body, signal: AbortSignal.timeout(5_000) })).status === 200;
  } catch {
    return false;
  }
};

const expectedTree = async () => {
  const cwd = tempFolder();
  expect(await runCli(['index', '--archive', SAMPLE_ARCHIVE, '--no-fetch'], { cwd })).toMatchObject({ status: 0 });
  expect(await runCli(['build'], { cwd })).toMatchObject({ status: 0 });
  return readTree(join(cwd, 'dist'));
};

test('behavior: killed at random, it loses nothing that it acknowledged, and ends in the same bytes', async () => {
  const [cwd, random] = [tempFolder(), new Random(11)];
  const payloads = payloadsOf(SAMPLE_ARCHIVE);
  let kills = 0;
  let { child, url } = await follow(cwd, '--build');
  const kill = async () => {
    kills++;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    ({ child, url } = await follow(cwd, '--build'));
  };
  for (const payload of payloads) {
    const dies = kills < KILLS && random.chance(0.7);
    const timer = dies ? delay(random.within(0, 30)).then(kill) : undefined;
    while (!(await post(url, payload))) await delay(20);
    await timer;
    // A node that was killed sends its last payload again.
    if (random.chance(0.3)) await post(url, payload);
  }
  expect(kills).toBeGreaterThan(3);
  const acknowledged = payloads.map(({ body }) => JSON.stringify(JSON.parse(body)));
  const expected = await expectedTree();
  const deadline = Date.now() + 60_000;
  const isThere = () => {
    const tree = readTree(join(cwd, 'dist'));
    return tree.get('metadata/v1/index.json') === expected.get('metadata/v1/index.json');
  };
  while (Date.now() < deadline && !(existsSync(join(cwd, 'dist/index.html')) && isThere())) await delay(200);
  const status = (await (await fetch(`${url}/`)).json()) as { tip?: number; spool_bytes: number };
  expect(status.spool_bytes).toBeGreaterThan(1_000);
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('stxpress_spool_bytes ');
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  expect(await runCli(['build'], { cwd })).toMatchObject({ status: 0 });
  const tree = readTree(join(cwd, 'dist'));
  for (const [path, text] of expected) expect([path, tree.get(path)]).toEqual([path, text]);
  expect(tree.size).toBe(expected.size);
  // All of it is in the spool, in order, each once or more.
  const names = spoolFiles(join(cwd, 'data/spool')).filter((name) => name.endsWith('.tsv'));
  const lines = names.flatMap((name) =>
    readFileSync(join(cwd, 'data/spool', name), 'utf8')
      .trimEnd()
      .split('\n'),
  );
  const kept = lines.map((line) => JSON.stringify(JSON.parse(line.split('\t')[3] ?? '')));
  expect(kept.filter((json, index) => json !== kept[index - 1]).slice(-3)).toEqual(acknowledged.slice(-3));
});

test('behavior: it publishes what it built, and a new index begins with all of the spool', async () => {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'public'));
  const { child, url } = await follow(cwd, '--publish', 'file:public');
  for (const payload of payloadsOf(SAMPLE_ARCHIVE)) expect(await post(url, payload)).toBe(true);
  const expected = await expectedTree();
  const deadline = Date.now() + 60_000;
  const file = join(cwd, 'public/metadata/v1/index.json');
  while (
    Date.now() < deadline &&
    !(existsSync(file) && readFileSync(file, 'utf8') === expected.get('metadata/v1/index.json'))
  )
    await delay(200);
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  expect([...readTree(join(cwd, 'public'))]).toEqual([...expected]);
  const spool = join(cwd, 'data/spool');
  const archives = spoolFiles(spool).flatMap((name) => ['--archive', join(spool, name)]);
  expect(spoolFiles(spool).some((name) => name.endsWith('.zst'))).toBe(true);
  expect(await runCli(['index', '--db', 'new.sqlite', '--no-fetch', ...archives], { cwd })).toMatchObject({
    status: 0,
  });
  expect(await runCli(['build', '--db', 'new.sqlite', '--out', 'new'], { cwd })).toMatchObject({ status: 0 });
  expect([...readTree(join(cwd, 'new'))]).toEqual([...expected]);
});

test('error: where others can connect, it must be said who may post; what is wrong is named', async () => {
  const cwd = tempFolder();
  const run = async (...args: string[]) => (await runCli(['follow', ...args], { cwd })).stderr;
  expect(await run('--listen', '0.0.0.0:0')).toContain('Say with --allow-from who may post');
  expect(await run('--listen', 'x')).toContain('--listen is "x"');
  expect(await run('--allow-from', '10.0.0.0/99')).toContain('--allow-from is "10.0.0.0/99"');
  writeFileSync(join(cwd, 'file'), '');
  expect(await run('--spool', 'file')).toContain('file');
});
