// Hashes the code of the program and the files that it copies into a site. With another hash, a build renders all files
// again.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

/** The folder src/ in the repository, or lib/ in the published package. */
const CODE = new URL('../', import.meta.url);
/** Versions of the program and its dependencies, and the examples. The published package has no lock file. */
const OTHER_FILES = ['../package.json', '../package-lock.json', '../data/sample/examples.json'];

let fingerprint: string | undefined;

/** Returns the hash of the code. Only the first call in a process reads the files. */
export function codeFingerprint(): string {
  fingerprint ??= hashCode();
  return fingerprint;
}

function hashCode(): string {
  const names = readdirSync(CODE, { recursive: true, encoding: 'utf8' });
  const codeFiles = names.filter((name) => statSync(new URL(name, CODE)).isFile()).sort();
  const otherFiles = OTHER_FILES.filter((file) => existsSync(new URL(file, CODE)));
  const hash = createHash('sha256');
  for (const path of [...codeFiles, ...otherFiles]) hash.update(`${path}\0`).update(readFileSync(new URL(path, CODE)));
  return hash.digest('hex');
}
