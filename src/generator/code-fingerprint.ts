// Hashes the code that renders a site. With another hash, a build renders all files again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The folder src/ in the repository, or lib/ in the published package. */
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
/**
 * Other files that decide what is rendered: versions of the program and its dependencies, examples, and the bundles'
 * hash. The published package has no lock file.
 */
const OTHER_FILES = [
  ...['../package.json', '../package-lock.json', '../data/sample/examples.json'],
  ...['../lib/bundles/sources'],
];

let fingerprint: string | undefined;

/** Returns the hash of the code. Only the first call in a process reads the files. */
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
