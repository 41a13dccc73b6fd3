// Reads the bundles that scripts/bundle.mjs makes: the explorer, Swagger UI and the programs for hosts.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { readIfExists } from '#files/read-if-exists.ts';
import { stop } from '#model/failure.ts';

const BUNDLES = new URL('../../lib/bundles/', import.meta.url);

/** Reads a file in lib/bundles/. Throws FailureError `usage` if it is missing, which is the case after `npm ci`. */
export function readBundle(path: string): Buffer {
  const file = fileURLToPath(new URL(path, BUNDLES));
  const content = readIfExists(file);
  if (content === undefined) throw stop('usage', `${file} is missing. Make it with: node scripts/install.mjs`);
  return content;
}

/** Returns one hash of the explorer's script and style sheet. */
export function explorerVersion(): string {
  const hash = createHash('sha256');
  for (const path of ['explorer/app.js', 'explorer/app.css']) hash.update(readBundle(path));
  return hash.digest('hex').slice(0, 12);
}
