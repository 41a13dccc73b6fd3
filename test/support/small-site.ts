// Writes an output folder with a few responses, as a build would, for tests that do not need an index.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SITE_RULES } from '#site/site-rules.ts';

/** Writes these responses by path, and the response bodies of all errors. */
export function writeSmallSite(folder: string, responses: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries({ ...SITE_RULES.errors, ...responses })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Returns the path of the response about a token. */
export function tokenPath(name: string): string {
  return `metadata/v1/ft/SP000000000000000000002Q6VF78.${name}`;
}

/** Returns the path of the response about a contract. */
export function contractPath(name: string): string {
  return `extended/v1/contract/SP000000000000000000002Q6VF78.${name}`;
}
