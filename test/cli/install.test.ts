// Tests the script that installs the dependencies. Runs it with the real npm, in this project and in small projects.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { untilPrinted } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/install.mjs', import.meta.url));
const FIRST_LINE = /^Installing 1 packages with npm, once\./;

/** Makes a project that contains the script. Its dependencies are added later. */
function makeProject(): string {
  const project = tempFolder();
  mkdirSync(join(project, 'scripts'));
  cpSync(SCRIPT, join(project, 'scripts/install.mjs'));
  writeFileSync(join(project, 'scripts/bundle.mjs'), '');
  return project;
}

function install(project: string) {
  const script = join(project, 'scripts/install.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  return { status, stderr };
}

function npm(cwd: string, ...args: readonly string[]): void {
  expect(spawnSync('npm', [...args, '--offline', '--silent'], { cwd }).status).toBe(0);
}

test('behavior: installs nothing if all packages for this machine are installed', () => {
  const ran = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, '', '']);
});

test('behavior: keeps complete packages, and installs missing, old and incomplete ones', () => {
  const project = makeProject();
  mkdirSync(join(project, 'one'));
  writeFileSync(join(project, 'one/package.json'), JSON.stringify({ name: 'one', version: '1.0.0' }));
  npm(project, 'pack', './one');
  writeFileSync(join(project, 'package.json'), JSON.stringify({ dependencies: { one: 'file:one-1.0.0.tgz' } }));
  npm(project, 'install');
  const inode = () => statSync(join(project, 'node_modules/one')).ino;
  const before = inode();
  expect(install(project)).toEqual({ status: 0, stderr: '' });
  expect(inode()).toBe(before);
  // npm writes .package-lock.json last, so an installation without this file is not complete.
  for (const broken of ['node_modules/one', 'node_modules/.package-lock.json']) {
    rmSync(join(project, broken), { recursive: true });
    expect(install(project)).toEqual({ status: 0, stderr: expect.stringMatching(FIRST_LINE) });
    expect(install(project)).toEqual({ status: 0, stderr: '' });
  }
  writeFileSync(join(project, 'one/package.json'), JSON.stringify({ name: 'one', version: '1.0.1' }));
  npm(project, 'pack', './one');
  npm(project, 'install', '--package-lock-only', './one-1.0.1.tgz');
  expect(install(project)).toEqual({ status: 0, stderr: expect.stringMatching(FIRST_LINE) });
});

test('behavior: shows progress while the registry is silent, and stops immediately', async () => {
  const registry = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    registry.closeAllConnections();
    registry.close();
  });
  await once(registry, 'listening');
  const project = makeProject();
  const resolved = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/one.tgz`;
  const dependencies = { one: resolved };
  const packages = { '': { dependencies }, 'node_modules/one': { version: '1.0.0', resolved } };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ dependencies }));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  const running = spawn(process.execPath, [join(project, 'scripts/install.mjs')]);
  await untilPrinted(running.stderr, /0 of 1 packages installed after \d+ s\n/);
  const printed = untilPrinted(running.stderr, /\n/);
  const signalled = performance.now();
  running.kill('SIGINT');
  expect(await once(running, 'close')).toEqual([130, null]);
  expect(performance.now() - signalled).toBeLessThan(10_000);
  expect(await printed).toBe('The installation was interrupted. Run the same command again.\n');
});

test('error: the registry cannot be reached', () => {
  const project = makeProject();
  const resolved = 'http://127.0.0.1:9/one.tgz';
  const dependencies = { one: resolved };
  const packages = { '': { dependencies }, 'node_modules/one': { version: '1.0.0', resolved } };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ dependencies }));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  writeFileSync(join(project, '.npmrc'), 'fetch-retries=0\n');
  const { status, stderr } = install(project);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/npm ci failed, see above\..*\n$/)]);
});

test('error: the dependencies are to be installed outside a clone', () => {
  expect(install(makeProject())).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^There is no package-lock\.json here.*\n$/),
  });
});
