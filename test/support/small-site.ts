// A site of a few answers, as a build would have written it, for tests that need no index.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SITE_RULES } from '#site/site-rules.ts';

/** Writes the answers, texts by their paths, and those of every error. */
export function writeSmallSite(folder: string, answers: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries({ ...SITE_RULES.errors, ...answers })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The path of a token's answer. */
export function tokenPath(name: string): string {
  return `metadata/v1/ft/SP000000000000000000002Q6VF78.${name}`;
}

/** The path of a contract's answer. */
export function contractPath(name: string): string {
  return `extended/v1/contract/SP000000000000000000002Q6VF78.${name}`;
}
