// Hashes the code that renders a site, so that a build by another version of the program renders all files.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The folder src/, or lib/ in a package. */
const CODE = new URL('../', import.meta.url);
const RENDERING_FOLDERS = [
  ...[
    'clarity',
    'concurrency',
    'dump',
    'generator',
    'hosts',
    'image',
    'layout',
    'model',
    'routes',
    'serving',
    'sip-016',
  ],
  ...['site', 'sqlite', 'store', 'text'],
];
/** The program's version, versions of dependencies, examples of the API, and hash of bundles. A package has no lock. */
const OTHER_FILES = [
  ...['../package.json', '../package-lock.json', '../data/sample/examples.json'],
  ...['../lib/bundles/sources'],
];

let fingerprint: string | undefined;

/** Returns the hash of the code. Reads the files once in a process. */
export function codeFingerprint(): string {
  fingerprint ??= hashCode();
  return fingerprint;
}

function hashCode(): string {
  const codeFiles = RENDERING_FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, CODE), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|js|json)$/.test(name))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  const otherFiles = OTHER_FILES.filter((file) => existsSync(new URL(file, CODE)));
  const hash = createHash('sha256');
  for (const path of [...codeFiles, ...otherFiles]) hash.update(`${path}\0`).update(readFileSync(new URL(path, CODE)));
  return hash.digest('hex');
}
