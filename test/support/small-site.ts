// Writes a site of a few responses like a build, for tests that do not need an index.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SITE_RULES } from '#site/site-rules.ts';

/** Writes responses, by path, and the bodies of all errors. */
export function writeSmallSite(folder: string, responses: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries({ ...SITE_RULES.errors, ...responses })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Returns the path of a token's response. */
export function tokenPath(name: string): string {
  return `metadata/v1/ft/SP000000000000000000002Q6VF78.${name}`;
}

/** Returns the path of a contract's response. */
export function contractPath(name: string): string {
  return `extended/v1/contract/SP000000000000000000002Q6VF78.${name}`;
}
