// Installs the npm packages of a folder. The first run of a clone uses it, so it is plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs `npm ci` in a folder, with these flags, unless npm has already installed the versions of its package-lock.json.
 * Exits with 1 if that fails.
 * @param {string} folder
 * @param {readonly string[]} flags
 */
export function installPackages(folder, ...flags) {
  const locked = readJson(join(folder, 'package-lock.json'))?.packages;
  // Published packages do not contain package-lock.json.
  if (locked === undefined)
    fail(`There is no package-lock.json in ${folder}. Use a clone of the repository of stxpress.`);
  // npm writes this file last, so that it is missing after an interrupted installation.
  const installed = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages ?? {};
  const isInstalled = ([path, { version, optional }]) =>
    path in installed ? readJson(join(folder, path, 'package.json'))?.version === version : path === '' || optional;
  if (Object.entries(locked).every(isInstalled)) return;
  console.error(`Installing packages in ${folder} with npm, once. This takes up to 3 minutes, as the network allows.`);
  // Includes the development dependencies, since Node 24 is one of them.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', ...flags];
  // The output is not the output of the command that needs the packages.
  const stdio = ['ignore', process.stderr, 'inherit'];
  const { error, status } = spawnSync('npm', args, { cwd: folder, stdio, shell: process.platform === 'win32' });
  if (error !== undefined)
    fail(`npm cannot be started: ${error.message}. Install npm, then run the same command again.`);
  if (status !== 0)
    fail(
      'npm ci failed, see above. It needs the npm registry and a folder that it may write. Then run the command again.',
    );
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
