import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { type LoopbackServer, loopbackServer } from '../../support/loopback-server.ts';
import { readTree, SAMPLE_ARCHIVE } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { blockLine, deployJson } from '../../support/transactions.ts';
import { runToEnd, runToEndWarm } from './start-cli.ts';

const CLOCK = new URL('./clock-shift.mjs', import.meta.url).href;
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const shifted = (cwd: string, env: Readonly<Record<string, number | string>>) => ({
  cwd,
  preload: [CLOCK],
  env: Object.fromEntries(Object.entries(env).map(([name, value]) => [`CLOCK_${name}`, String(value)])),
});

/**
 * Makes an index with a queued document, and the server of the document, which responds 503 to the first `busyFor`
 * requests.
 */
async function busyWorld(busyFor: number): Promise<{ cwd: string; server: LoopbackServer; args: string[] }> {
  const cwd = tempFolder();
  let requests = 0;
  const server = await loopbackServer((_, response) => {
    if (requests++ < busyFor) response.writeHead(503).end();
    else response.end('{"name":"Late"}');
  });
  const source = `(define-fungible-token t) (define-read-only (get-name) (ok "T"))
    (define-read-only (get-token-uri) (ok (some u"${server.url}/1.json")))`;
  const transactions = [deployJson('late', source, { clarityVersion: 2, interface: TOKEN_INTERFACE })];
  writeFileSync(join(cwd, 'chain.tsv'), blockLine({ id: 1, parent: 0, height: 0, transactions }));
  const evaluated = await runToEndWarm(['index', '--archive', 'chain.tsv', '--no-fetch'], { cwd });
  expect(evaluated).toMatchObject({ status: 0 });
  return { cwd, server, args: ['index', '--no-vm', '--no-images', '--allow-host', server.host] };
}

const hasFailed = (cwd: string) => {
  const path = join(cwd, 'data/index.sqlite');
  if (!existsSync(path)) return false;
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare('select 1 from job where next_attempt_at is not null and attempts > 0').get() !== undefined;
  } catch {
    return false; // the tables do not exist yet
  } finally {
    db.close();
  }
};

const dueIn = (cwd: string) => {
  const db = new Database(join(cwd, 'data/index.sqlite'), { readonly: true });
  const at = db.prepare('select next_attempt_at from job').pluck().get() as number;
  db.close();
  return at - Date.now();
};

describe('a clock that goes backwards', () => {
  test('gives the same results between runs and during a run', async () => {
    const cwd = tempFolder();
    const index = ['index', '--archive', SAMPLE_ARCHIVE, '--no-fetch', '--no-vm'];
    expect(await runToEndWarm(index, { cwd })).toMatchObject({ status: 0 });
    expect(await runToEndWarm(['build'], { cwd })).toMatchObject({ status: 0 });
    const tree = readTree(join(cwd, 'dist'));
    const before = shifted(cwd, { SHIFT: -YEAR_MS, JUMP: -HOUR_MS, JUMP_AFTER: 200 });
    expect(await runToEnd([...index, '--db', 'other.sqlite'], before)).toMatchObject({ status: 0 });
    expect(await runToEnd(index, before)).toMatchObject({ status: 0 });
    for (const args of [['build'], ['build', '--full'], ['build', '--db', 'other.sqlite', '--replace']]) {
      expect(await runToEnd(args, before)).toMatchObject({ status: 0, stderr: '' });
      expect(readTree(join(cwd, 'dist'))).toEqual(tree);
    }
    // This run seems to end before its start, and the status must still show it.
    const { status, stdout } = await runToEndWarm(['status'], { cwd });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Last build') });
  });

  test('keeps the time limit of --wait during a run', async () => {
    const { cwd, args } = await busyWorld(1);
    const run = runToEnd([...args, '--wait', '5'], shifted(cwd, { JUMP: -HOUR_MS, JUMP_AT: 'jumped' }));
    // Waits until the failed job is stored with the time of its next attempt.
    await vi.waitUntil(() => hasFailed(cwd), { timeout: 30_000, interval: 2 });
    writeFileSync(join(cwd, 'jumped'), '');
    expect(await run).toMatchObject({ status: 75 });
    expect(dueIn(cwd)).toBeLessThan(5_000);
  });

  test('adds the shift to the delay of a retry between runs', async () => {
    const { cwd, server, args } = await busyWorld(1);
    expect(await runToEnd([...args, '--wait', '0'], shifted(cwd, { SHIFT: HOUR_MS }))).toMatchObject({ status: 75 });
    const delay = dueIn(cwd);
    expect(delay).toBeGreaterThan(HOUR_MS - 60_000);
    expect(delay).toBeLessThan(HOUR_MS + 2_000);
    // The real clock is an hour earlier, so the job is not due yet, and the run ends with "more to do".
    expect(await runToEndWarm([...args, '--wait', '1'], { cwd })).toMatchObject({ status: 75 });
    expect(server.requests).toHaveLength(1);
    expect(await runToEnd([...args, '--wait', '5'], shifted(cwd, { SHIFT: HOUR_MS + 2_000 }))).toMatchObject({
      status: 0,
    });
    expect(server.requests).toHaveLength(2);
  });
});
