// The project where it cannot work: what it says, before it loads anything that would crash.
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('error: it lies in node_modules', () => {
  const installed = join(tempFolder(), 'node_modules/stxpress');
  cpSync(fileURLToPath(new URL('../../bin', import.meta.url)), join(installed, 'bin'), { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(installed, 'bin/stxpress.mjs'), 'status'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'stxpress: it does not run as an installed package, since Node does not run TypeScript inside node_modules. ' +
      'Clone its repository instead, and run npm start there.\n',
  );
});

test('error: the dependencies are to be installed outside a clone', () => {
  const folder = tempFolder();
  cpSync(fileURLToPath(new URL('../../scripts/install.mjs', import.meta.url)), join(folder, 'scripts/install.mjs'));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/install.mjs')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^There is no package-lock\.json here.*\n$/)]);
});

test('error: the Node is too old', async () => {
  const cwd = tempFolder();
  const older = join(cwd, 'older.mjs');
  writeFileSync(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`,
  );
  expect(await runCli(['status'], { cwd, preload: [older] })).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^stxpress: it needs Node 24 or newer, and this is Node 20\.20\.2\. .*npm start.*\n$/,
    ),
  });
});
