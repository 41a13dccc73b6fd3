// Installs the missing programs of the conformance suite: nginx, Caddy, Apache, Chromium and S3 clients as packages of
// Debian, and the npm packages in `packages/`. Does not start servers.
// This script has no dependencies and no types, since it runs before the installation, on any version of Node.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../../scripts/install-packages.mjs';

const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
const HTTP_PORT = 80;
const PROBE_MS = 500;

const NEEDED = [
  { name: 'nginx', package: 'nginx', isInstalled: () => hasProgram('nginx') },
  { name: 'Caddy', package: 'caddy', isInstalled: () => hasProgram('caddy') },
  { name: 'Apache', package: 'apache2-bin', isInstalled: () => hasProgram('apache2') },
  { name: 'Chromium', package: 'chromium', isInstalled: () => hasProgram('chromium') },
  { name: 'awscli', package: 'awscli', isInstalled: () => hasProgram('aws') },
  { name: 's3cmd', package: 's3cmd', isInstalled: () => hasProgram('s3cmd') },
  { name: 'rclone', package: 'rclone', isInstalled: () => hasProgram('rclone') },
  { name: 'the list of content types', package: 'media-types', isInstalled: () => existsSync('/etc/mime.types') },
];
/** Packages that tests import by name. The others are loaded from `packages/`. */
const IMPORTED = [
  '@axe-core/playwright',
  '@duckdb/node-api',
  '@hirosystems/token-metadata-api-client',
  '@stacks/blockchain-api-client',
  'playwright-core',
];
/**
 * Services that Debian starts after the installation and at each boot, by package.
 * @type {Readonly<Record<string, string>>}
 */
const SERVICES = { nginx: 'nginx', caddy: 'caddy' };

await installServers();
// workerd and sharp work without their install scripts, which only check the installed files.
installPackages(fileURLToPath(new URL('packages/', import.meta.url)), '--ignore-scripts');
linkPackages();

async function installServers() {
  const missing = NEEDED.filter(({ isInstalled }) => !isInstalled());
  if (missing.length === 0) return;
  const packages = missing.map((each) => each.package);
  say(`Installing ${packages.join(', ')} with apt-get …`);
  const isPortTaken = await listens(HTTP_PORT);
  if (hasProgram('apt-get')) aptInstall(packages);
  const failed = missing.filter(({ isInstalled }) => !isInstalled());
  if (failed.length > 0) {
    const names = failed.map((program) => program.package).join(' ');
    say(`Could not install: ${failed.map(({ name }) => name).join(', ')}.`);
    say(
      hasProgram('apt-get')
        ? `See the output above. Run as root: apt-get update && apt-get install ${names}`
        : `apt-get is missing. The suite runs on Debian and Ubuntu, with the packages ${packages.join(', ')}.`,
    );
    process.exit(1);
  }
  if (!isPortTaken && (await listens(HTTP_PORT))) {
    say(
      `The installation has started a server on port ${HTTP_PORT}. Stop it with: systemctl disable --now nginx caddy`,
    );
    process.exit(1);
  }
}

/**
 * Installs packages. Updates the lists of packages only if the first attempt fails.
 * @param {readonly string[]} packages
 */
function aptInstall(packages) {
  const install = withoutServices(
    `apt-get install -y -q --no-install-recommends ${packages.join(' ')}`,
    packages.map((each) => SERVICES[each]).filter((each) => each !== undefined),
  );
  if (asRoot(install)) return;
  if (asRoot('apt-get update -q')) asRoot(install);
}

/**
 * Returns a script that runs a command of apt-get and prevents the start of installed services: it writes a temporary
 * policy-rc.d, unless the administrator already has this file. Then disables the services.
 * @param {string} command
 * @param {readonly string[]} services
 */
function withoutServices(command, services) {
  const policy = '/usr/sbin/policy-rc.d';
  const disable = services.map((each) => `systemctl disable --quiet ${each} || true`).join('; ');
  return `
    if [ ! -e ${policy} ]; then
      trap 'rm -f ${policy}' EXIT
      printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod 755 ${policy}
    fi
    export DEBIAN_FRONTEND=noninteractive
    ${command} || exit 1
    ${services.length > 0 ? `if [ -d /run/systemd/system ]; then ${disable}; fi` : ''}
  `;
}

/** @param {string} script */
function asRoot(script) {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !hasProgram('sudo')) {
    say('The installation needs root or sudo.');
    return false;
  }
  const [program = '', ...args] = [...(isRoot ? [] : ['sudo']), 'sh', '-c', script];
  // Redirects the output of apt-get to standard error, where this script's messages go.
  return spawnSync(program, args, { stdio: ['inherit', process.stderr, 'inherit'] }).status === 0;
}

/** Links the packages that tests import. Other packages would hide packages of the project, such as types of Node. */
function linkPackages() {
  for (const name of IMPORTED) {
    const link = fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(fileURLToPath(new URL(`packages/node_modules/${name}`, import.meta.url)), link);
  }
}

/** @param {string} name */
function hasProgram(name) {
  return [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_FOLDERS].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function listens(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: PROBE_MS });
    /** @param {boolean} result */
    const end = (result) => () => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`${text}\n`);
}
