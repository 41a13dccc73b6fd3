// Makes seeds of indexes for tests, and indexes of seeds.
import { join } from 'node:path';
import type { IndexOptions, SeedOptions } from '#indexer/index-options.ts';
import { type MadeSeed, makeSeed } from '#seed/make-seed.ts';
import type { SeedSizes } from '#seed/plan-seed.ts';
import { openLocalSeed } from '#source/seed/open-seed.ts';
import { openIndex } from '#store/index-database.ts';
import { buildIndex } from './build-options.ts';
import { indexInto } from './index-options.ts';
import { readTree } from './sample.ts';
import { silentReporter } from './silent-reporter.ts';
import { tempFolder } from './temp-folder.ts';

interface SeedToMake {
  readonly db: string;
  readonly archives: readonly string[];
  readonly out: string;
  readonly sizes?: SeedSizes | undefined;
}

/** Sizes that divide a chain of a few blocks into several parts. */
export const SMALL: SeedSizes = { range: 4, recent: 2 };

export async function seedOf({ db, archives, out, sizes = SMALL }: SeedToMake): Promise<MadeSeed> {
  const store = await openIndex(db, { mustExist: true, readOnly: true });
  const signal = new AbortController().signal;
  try {
    return await makeSeed(store, { archives, out, sizes, reporter: silentReporter, signal });
  } finally {
    await store.destroy();
  }
}

export function seedOptions(path: string, over: Partial<SeedOptions> = {}): SeedOptions {
  return {
    source: openLocalSeed(path),
    location: path,
    folder: join(tempFolder(), 'parts'),
    hash: undefined,
    isContinued: false,
    ...over,
  };
}

export function indexSeedInto(db: string, path: string, over: Partial<IndexOptions> = {}): Promise<void> {
  return indexInto(db, { ...over, seed: seedOptions(path) });
}

/** Returns the files of the site that is built from an index. */
export async function siteOf(db: string): Promise<Map<string, string>> {
  const out = join(tempFolder(), 'dist');
  await buildIndex(db, out);
  return readTree(out);
}
