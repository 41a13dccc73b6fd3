// Hashes code of the program, to tell what it wrote from what another version writes.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** src/, or what is compiled of it. */
const CODE = new URL('../', import.meta.url);
const hashes = new Map<string, string>();

/** Hashes all code in folders of src/, and other files that are there, to hex. Reads each once in a process. */
export function hashCode(folders: readonly string[], otherFiles: readonly string[]): string {
  const what = [...folders, ...otherFiles].join(' ');
  const known = hashes.get(what);
  if (known !== undefined) return known;
  const ofFolders = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, CODE), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|js|json|css)$/.test(name))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  const hash = createHash('sha256');
  for (const path of [...ofFolders, ...otherFiles.filter((file) => existsSync(new URL(file, CODE)))])
    hash.update(`${path}\0`).update(readFileSync(new URL(path, CODE)));
  const made = hash.digest('hex');
  hashes.set(what, made);
  return made;
}
