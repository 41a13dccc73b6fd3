// This script installs the dependencies if they are missing or older than package-lock.json.
// It is plain JavaScript without dependencies, since it runs first, on whichever Node the machine has.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const marker = new URL('node_modules/.stxpress-installed', root);
const lock = read(new URL('package-lock.json', root));
// npm packs no package-lock.json.
if (lock === undefined) {
  console.error('There is no package-lock.json here: this is not a clone of the repository of stxpress. Use one.');
  process.exit(1);
}
const wanted = createHash('sha256').update(lock).digest('hex');

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (read(marker) !== wanted) {
  console.error('Installing the dependencies, once (about 15 seconds) …');
  // All of them, the development ones too: Node 24 itself is one.
  const result = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    console.error('npm ci failed, see above. It needs the npm registry. Nothing else was changed.');
    process.exit(1);
  }
  writeFileSync(marker, wanted);
}
