// Hashes the code that decides what is rendered, and its packages: after a change of it, a build compares everything.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** src/, or what is compiled of it. */
const CODE = new URL('../', import.meta.url);
/** Its folders whose code ends up in the bytes of a site. */
const RENDERING_FOLDERS = 'explorer hosts model press routes serving sip-016 site sqlite store text'.split(' ');
/** The version that is told, those of the packages, and the examples of the API's description. */
const OTHER_FILES = ['../package.json', '../package-lock.json', '../data/sample/examples.json'];

export function codeFingerprint(): string {
  const hash = createHash('sha256');
  const add = (path: string) => hash.update(`${path}\0`).update(readFileSync(new URL(path, CODE)));
  for (const folder of RENDERING_FOLDERS) {
    const names = readdirSync(new URL(`${folder}/`, CODE), { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names) if (/\.(?:tsx?|js|json|css)$/.test(name)) add(`${folder}/${name}`);
  }
  // An installed package has no lock.
  for (const path of OTHER_FILES) if (existsSync(new URL(path, CODE))) add(path);
  return hash.digest('hex');
}
