// Tests the script that installs the dependencies. Runs it with the real npm, in this project and in small projects.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
const FIRST_LINE = /^Installing packages in .* with npm, once\./;

/** Makes a project that contains the script. Its dependencies are added later. */
function makeProject(): string {
  const project = tempFolder();
  mkdirSync(join(project, 'scripts'));
  for (const name of ['install.mjs', 'install-packages.mjs'])
    cpSync(join(SCRIPTS, name), join(project, 'scripts', name));
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

test('installs nothing if all packages for this machine are installed', () => {
  const ran = spawnSync(process.execPath, [join(SCRIPTS, 'install.mjs')], { encoding: 'utf8' });
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, '', '']);
});

test('keeps complete packages, and installs missing and old ones', () => {
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

test('fails if the registry cannot be reached', () => {
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

test('fails outside of a clone', () => {
  expect(install(makeProject())).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^There is no package-lock\.json in .*\n$/),
  });
});
