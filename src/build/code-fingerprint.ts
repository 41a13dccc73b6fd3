// A hash over the program's own source as far as it decides what is rendered: after a change of it, a build compares everything.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Folders of src/ whose code ends up in the bytes of an answer. */
const RENDERING_FOLDERS = ['build', 'describe', 'hosts', 'hosts/edge', 'model', 'routes', 'sip-016', 'store'];

export function codeFingerprint(): string {
  const hash = createHash('sha256');
  for (const folder of RENDERING_FOLDERS) {
    const url = new URL(`../${folder}/`, import.meta.url);
    for (const name of readdirSync(url).sort()) {
      if (/\.(?:ts|js|json)$/.test(name)) hash.update(`${folder}/${name}\0`).update(readFileSync(new URL(name, url)));
    }
  }
  return hash.digest('hex');
}
