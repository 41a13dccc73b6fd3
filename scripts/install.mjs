// Installs the dependencies if a package of package-lock.json is missing or has another version, and makes the bundles.
// It is plain JavaScript without dependencies, because it runs first, with the machine's Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const PROGRESS_EVERY_MS = 5_000;

function readJson(file) {
  try {
    return JSON.parse(readFileSync(new URL(file, root), 'utf8'));
  } catch {
    return undefined;
  }
}

/** True if npm installs the package on this machine. */
function isNeeded({ optional = false, os, cpu, libc }) {
  if (!optional) return true;
  // npm installs the dependencies of an optional package only if it installs the package.
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && (!libc || libc.includes(LIBC)));
}

const LIBC = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';

/** True if npm has completed its list of installed packages, and each package has the version of the lock file. */
function isIntact(paths, locked) {
  const installed = readJson('node_modules/.package-lock.json')?.packages ?? {};
  return paths.every((path) => {
    const { version } = locked[path];
    return installed[path]?.version === version && readJson(`${path}/package.json`)?.version === version;
  });
}

function fail(message, status = 1) {
  console.error(message);
  process.exit(status);
}

const locked = readJson('package-lock.json')?.packages;
// Published packages do not contain package-lock.json.
if (locked === undefined)
  fail('There is no package-lock.json here: this is not a clone of the repository of stxpress. Use one.');
const needed = Object.keys(locked).filter((path) => path !== '' && isNeeded(locked[path]));
if (!isIntact(needed, locked)) await installPackages(needed);
await import('./bundle.mjs');

/** Runs `npm ci`, and prints the number of installed packages every five seconds. Exits if it fails. */
async function installPackages(paths) {
  console.error(
    `Installing ${paths.length} packages with npm, once. This takes 15 seconds to 3 minutes, as the network allows.`,
  );
  const begun = performance.now();
  const isThere = (path) => existsSync(new URL(`${path}/package.json`, root));
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.error(`${paths.filter(isThere).length} of ${paths.length} packages installed after ${seconds} s`);
  }, PROGRESS_EVERY_MS);
  // Includes the development dependencies, since Node 24 is one of them.
  const npm = spawn('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'], {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  const again = 'then run the same command again.';
  let interrupted;
  // Kills npm, which would take 20 seconds to undo its changes. The next run removes incomplete packages.
  const interrupt = (signal) => {
    interrupted = signal;
    npm.kill('SIGKILL');
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  npm.on('error', ({ message }) => fail(`npm cannot be started: ${message}. Install npm, ${again}`));
  const [status] = await once(npm, 'close');
  clearInterval(progress);
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  if (interrupted !== undefined)
    fail('The installation was interrupted. Run the same command again.', 128 + constants.signals[interrupted]);
  if (status !== 0)
    fail(`npm ci failed, see above. It needs the npm registry and a folder that it may write. Repair that, ${again}`);
}
