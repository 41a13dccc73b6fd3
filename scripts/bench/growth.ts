// Measures growth: indexes and builds synthetic chains of 10,000, 100,000 and 1,000,000 contracts, sources cut to a
// tenth, and then of as many tokens of collections. Time is to grow as the chain does, the peak of memory is not to.
import { rmSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { type Bench, buildSite, makeChain } from './bench.ts';
import { type Report, writeResults } from './figures.ts';
import { describeMachine, type Measured, stxpress } from './measure.ts';

/** Beside the tokens of collections. */
const FEW_CONTRACTS = 1_000;
const MAX_PEAK_GROWTH = 1.25;

export interface Size {
  /** How many contracts or tokens. */
  readonly count: number;
  readonly index: Measured;
  readonly build: Measured;
}

export async function growth(bench: Bench): Promise<Report> {
  const make = (archive: string, contracts: number, ...more: (string | number)[]) =>
    makeChain(archive, { ...bench, contracts }, '--source-share', '0.1', ...more);
  const makeCollections = (archive: string, tokens: number) => make(archive, FEW_CONTRACTS, '--tokens', tokens);
  const isMissed = [
    await measureGrowth(bench, 'contracts', 'growth', make, '--no-vm', '--no-fetch'),
    await measureGrowth(bench, 'tokens of collections', 'growth-tokens', makeCollections, '--no-fetch'),
  ].includes(true);
  return { input: 'chains of three sizes', figures: [], isMissed };
}

/** `make` makes an archive with so many. Returns true if the peak of memory grows. */
async function measureGrowth(
  bench: Bench,
  noun: string,
  results: string,
  make: (archive: string, count: number) => Promise<unknown>,
  ...flags: readonly string[]
): Promise<boolean> {
  const sizes: Size[] = [];
  for (const count of bench.isJudged ? [10_000, 100_000, 1_000_000] : [500, 1_000, 2_000]) {
    const folder = bench.path(`${results}-${count}`);
    const [archive, db] = [`${folder}.tsv`, `${folder}/index.sqlite`];
    await make(archive, count);
    const index = await stxpress('index', '--db', db, '--archive', archive, ...flags);
    rmSync(archive);
    const build = await buildSite(db, `${folder}/dist`);
    rmSync(folder, { recursive: true });
    sizes.push({ count, index, build });
    for (const [what, { seconds, peakMb }] of Object.entries({ index, build }))
      console.log(`${formatCount(count)} ${noun}: ${what} ${seconds.toFixed(1)} s, peak ${peakMb} MB`);
  }
  writeResults(results, { machine: describeMachine(), sizes }, bench);
  const [, large, largest] = sizes as [Size, Size, Size];
  const peaks = (['index', 'build'] as const).map((what) => {
    const grown = (largest[what].peakMb ?? 0) / (large[what].peakMb ?? 1);
    const slower = largest[what].seconds / large[what].seconds / (largest.count / large.count);
    console.log(
      `${what}: time for one ${slower.toFixed(2)} x, peak ${grown.toFixed(2)} x from the second to the third`,
    );
    return grown;
  });
  return peaks.some((grown) => grown > MAX_PEAK_GROWTH);
}
