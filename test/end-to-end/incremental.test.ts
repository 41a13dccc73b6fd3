// The sample by the commands that a user runs: offline, and an incremental build of what only queued work changed.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runWarm } from '../support/run-warm.ts';
import { PRESSER, readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('behavior: work that a refresh queues shows in the next build, as a full one shows it', async () => {
  const cwd = tempFolder();
  const run = async (...args: string[]) => (await runWarm(args, { cwd })).status;
  const nobody = 'http://127.0.0.1:9';
  expect(await run('index', '--offline')).toBe(0);
  expect(await run('build')).toBe(0);
  const before = readTree(join(cwd, 'dist'));
  // Nothing waits for the network.
  const pending = before.get(`metadata/v1/ft/${PRESSER}.pending-token`) ?? '';
  expect(JSON.parse(pending)).toMatchObject({ name: 'Pending Token', token_uri: 'https://example.org/tokens/1.json' });
  expect(pending).not.toContain('"metadata"');
  expect(await run('index', '--refresh', '--api-url', nobody, '--wait', '1')).toBe(75);
  expect(await run('build')).toBe(0);
  const incremental = readTree(join(cwd, 'dist'));
  expect(await run('build', '--full')).toBe(0);
  expect(incremental).toEqual(readTree(join(cwd, 'dist')));
  expect(incremental).not.toEqual(before);
});
