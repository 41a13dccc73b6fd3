// Opens the seed that the settings of an index run name: at a site, or in a folder.
import { resolve } from 'node:path';
import type { SeedToContinue } from '#indexer/chain/index-seed.ts';
import type { SeedOptions } from '#indexer/index-options.ts';
import { manifestUrl, openLocalSeed, openRemoteSeed } from '#source/seed/open-seed.ts';
import { commandWith } from './command-with.ts';
import { serverOptions } from './open-network.ts';
import type { SettingsOf } from './options.ts';
import { readUrl } from './read-url.ts';
import type { Context } from './surroundings.ts';

/** The time limit for a file. A server that stalls is noticed earlier, by the limit between two pieces. */
const FILE_MS = 15 * 60_000;

export function isUrl(location: string): boolean {
  return /^https?:/i.test(location);
}

type OpenSeed = SeedOptions & AsyncDisposable;

/** Opens the seed that the settings name. Throws FailureError `usage` or `seed-invalid`. */
export function openNamedSeed(settings: SettingsOf<'index'>, context: Context): OpenSeed | undefined {
  const { seed: location, seedHash: hash } = settings;
  return location === undefined ? undefined : openSeed(settings, { location, hash }, context);
}

/** Opens the seed that an earlier run did not read to its end. Warns if it cannot be opened. */
export function openUnfinishedSeed(
  settings: SettingsOf<'index'>,
  stored: string | undefined,
  context: Context,
): OpenSeed | undefined {
  if (stored === undefined) return undefined;
  const seed = JSON.parse(stored) as SeedToContinue;
  if (!settings.offline || !isUrl(seed.location)) return openSeed(settings, seed, context, true);
  context.reporter.warn(`The seed ${seed.location} was not read to its end, and this run is offline.`);
  return undefined;
}

/** Returns two sentences: the state of the seed, and the command to continue. */
export function describeUnfinishedSeed({ location }: SeedToContinue, db: string): readonly [string, string] {
  return [`${location} was not read to its end.`, `Continue with: ${commandWith('index', { db })}`];
}

function openSeed(
  settings: SettingsOf<'index'>,
  { location, hash }: SeedToContinue,
  { reporter, signal }: Context,
  isContinued = false,
): OpenSeed {
  // A server may not respond for minutes.
  if (isUrl(location)) reporter.info(`Reading the seed of ${location}`);
  const source = isUrl(location) ? openAt(location, settings, signal) : openLocalSeed(location);
  return {
    source,
    location: isUrl(location) ? location : resolve(location),
    folder: `${settings.db}.seed`,
    hash,
    isContinued,
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
}

function openAt(location: string, settings: SettingsOf<'index'>, signal: AbortSignal) {
  const url = manifestUrl(readUrl('--seed', location, 'https://tokens.example.org'));
  const { baseUrl: _, keyFlag: __, ...options } = serverOptions(url.href, settings, signal);
  return openRemoteSeed(url, options, FILE_MS);
}
