// Opens the seed that the settings of an index run name: at a site, or in a folder.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KnownSeed, SeedOptions } from '#indexer/index-options.ts';
import { manifestUrl, openLocalSeed, openRemoteSeed } from '#source/seed/open-seed.ts';
import { serverOptions } from './open-network.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import type { Context } from './world.ts';

const KNOWN_SEEDS = new URL('../../data/known-seeds.json', import.meta.url);
/** The time limit for a part. A server that stalls is noticed earlier, by the limit between two pieces. */
const PART_MS = 15 * 60_000;

export function isUrl(location: string): boolean {
  return /^https?:/i.test(location);
}

/** Returns undefined without a location. Throws FailureError `usage` or `seed-invalid`. */
export function openSeed(
  settings: SettingsOf<'index'>,
  location: string | undefined,
  { signal }: Pick<Context, 'signal'>,
): (SeedOptions & AsyncDisposable) | undefined {
  if (location === undefined) return undefined;
  const source = isUrl(location) ? openAt(location, settings, signal) : openLocalSeed(location);
  return {
    source,
    location: isUrl(location) ? location : resolve(location),
    folder: `${settings.db}.seed`,
    hash: settings.seedHash,
    allowOlder: settings.allowOlder,
    known: JSON.parse(readFileSync(KNOWN_SEEDS, 'utf8')) as KnownSeed[],
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}

function openAt(location: string, settings: SettingsOf<'index'>, signal: AbortSignal) {
  const url = manifestUrl(readUrl('--seed', location, 'https://tokens.example.org'));
  const { baseUrl: _, ...options } = serverOptions(url.href, settings, signal);
  return openRemoteSeed(url, { ...options, limits: { ...options.limits, totalTimeoutMs: PART_MS } });
}
