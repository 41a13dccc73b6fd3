// Tests the message that is printed if Node is too old. It must be printed before modules load, since they would crash.
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENTRY, runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('the Node is too old', async () => {
  const cwd = tempFolder();
  const older = join(cwd, 'older.mjs');
  writeFileSync(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`,
  );
  const what = 'stxpress: it needs Node 24 or newer, and this is Node 20.20.2.';
  const { status, stdout, stderr } = await runCli(['status'], { cwd, preload: [older] });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/npm start.*\n$/);
  expect(stderr).toContain(what);
  // The message for an installed package has another remedy.
  const installed = join(cwd, 'node_modules/stxpress/bin/stxpress.mjs');
  cpSync(ENTRY, installed);
  const ran = spawnSync(process.execPath, ['--import', older, installed, 'status'], { encoding: 'utf8' });
  expect([ran.status, ran.stdout]).toEqual([1, '']);
  expect(ran.stderr).toBe(`${what} Install Node 24, and then this package with it.\n`);
});
