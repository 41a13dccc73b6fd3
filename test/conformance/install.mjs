// This script installs what the conformance suite runs beside Node, where it is missing: nginx, Caddy, Apache, Chromium
// and tools that read buckets from Debian's packages, and the npm packages in `packages/`. It does nothing when all of
// it is there, and starts no server.
// It is plain JavaScript without dependencies, since it runs first, on whatever Node the machine has.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
const HTTP_PORT = 80;
const PROBE_MS = 500;

const NEEDED = [
  { name: 'nginx', package: 'nginx', isThere: () => hasProgram('nginx') },
  { name: 'Caddy', package: 'caddy', isThere: () => hasProgram('caddy') },
  { name: 'Apache', package: 'apache2-bin', isThere: () => hasProgram('apache2') },
  { name: 'Chromium', package: 'chromium', isThere: () => hasProgram('chromium') },
  { name: 'awscli', package: 'awscli', isThere: () => hasProgram('aws') },
  { name: 's3cmd', package: 's3cmd', isThere: () => hasProgram('s3cmd') },
  { name: 'rclone', package: 'rclone', isThere: () => hasProgram('rclone') },
  { name: 'the list of content types', package: 'media-types', isThere: () => existsSync('/etc/mime.types') },
];
/**
 * Debian starts these at once, and again whenever the machine starts.
 * @type {Readonly<Record<string, string>>}
 */
const SERVICES = { nginx: 'nginx', caddy: 'caddy' };

await installServers();
installPackages();

async function installServers() {
  const missing = NEEDED.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return;
  const packages = missing.map((each) => each.package);
  say(`Installing ${packages.join(', ')} with apt-get …`);
  const taken = await listens(HTTP_PORT);
  if (hasProgram('apt-get')) aptInstall(packages);
  const still = missing.filter(({ isThere }) => !isThere());
  if (still.length > 0) {
    say(`These are needed, and could not be installed: ${still.map(({ name }) => name).join(', ')}.`);
    say(
      hasProgram('apt-get')
        ? `See above. As root: apt-get update && apt-get install ${still.map((each) => each.package).join(' ')}`
        : `There is no apt-get here. The suite runs on Debian and Ubuntu, with the packages ${packages.join(', ')}.`,
    );
    process.exit(1);
  }
  if (!taken && (await listens(HTTP_PORT))) {
    say(`The installation has started a server on port ${HTTP_PORT}. Stop it: systemctl disable --now nginx caddy`);
    process.exit(1);
  }
}

/**
 * The lists of packages are fetched only when the installation fails without.
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
 * Debian's installer asks policy-rc.d whether it may start a service; one that is there already is the administrator's.
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
    say('This needs root, and there is no sudo.');
    return false;
  }
  const [program = '', ...args] = [...(isRoot ? [] : ['sudo']), 'sh', '-c', script];
  // What apt-get says belongs beside this script's own words.
  return spawnSync(program, args, { stdio: ['inherit', process.stderr, 'inherit'] }).status === 0;
}

function installPackages() {
  const folder = new URL('packages/', import.meta.url);
  const marker = new URL('node_modules/.stxpress-installed', folder);
  const lock = readFileSync(new URL('package-lock.json', folder));
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  say('Installing the packages of the conformance suite (once; about 15 seconds) …');
  // Scripts are of no use: those of workerd and sharp only look for what is there already.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  if (status !== 0) {
    say(
      'npm ci failed, see above. It needs the npm registry; miniflare, and Netlify’s and Vercel’s packages are missing.',
    );
    process.exit(1);
  }
  writeFileSync(marker, wanted);
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
