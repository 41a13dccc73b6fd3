// Measures how time and memory grow with the chain. Indexes and builds chains of 10,000, 100,000 and 1,000,000
// contracts, then chains with the same numbers of tokens in collections. Sources have a tenth of their real size. Time
// may grow, but the peak of memory may not.
import { rmSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { type Bench, buildSite, makeChain } from './bench.ts';
import { type Report, writeResults } from './figures.ts';
import { describeMachine, type Measured, stxpress } from './measure.ts';

/** The number of contracts in the chains with tokens of collections. */
const FEW_CONTRACTS = 1_000;
const MAX_PEAK_GROWTH = 1.25;

export interface Size {
  /** The number of contracts or tokens. */
  readonly count: number;
  readonly index: Measured;
  readonly build: Measured;
}

export async function growth(bench: Bench): Promise<Report> {
  const make = (archive: string, contracts: number, ...flags: (string | number)[]) =>
    makeChain(archive, { ...bench, contracts }, '--source-share', '0.1', ...flags);
  const makeCollections = (archive: string, tokens: number) => make(archive, FEW_CONTRACTS, '--tokens', tokens);
  const isMissed = [
    await measureGrowth(bench, 'contracts', 'growth', make, '--no-vm', '--no-fetch'),
    await measureGrowth(bench, 'tokens of collections', 'growth-tokens', makeCollections, '--no-fetch'),
  ].includes(true);
  return { input: 'chains of three sizes', figures: [], isMissed };
}

/**
 * Measures three sizes. `make` writes an archive with `count` contracts or tokens. Returns true if the peak of memory
 * grows by more than {@link MAX_PEAK_GROWTH}.
 */
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
    for (const [command, { seconds, peakMb }] of Object.entries({ index, build }))
      console.log(`${formatCount(count)} ${noun}: ${command} ${seconds.toFixed(1)} s, peak ${peakMb} MB`);
  }
  writeResults(results, { machine: describeMachine(), sizes }, bench);
  const [, large, largest] = sizes as [Size, Size, Size];
  const peaks = (['index', 'build'] as const).map((command) => {
    const peakGrowth = (largest[command].peakMb ?? 0) / (large[command].peakMb ?? 1);
    const timeGrowth = largest[command].seconds / large[command].seconds / (largest.count / large.count);
    console.log(
      `${command}: time per item ${timeGrowth.toFixed(2)} x, peak ${peakGrowth.toFixed(2)} x from the second to the third`,
    );
    return peakGrowth;
  });
  return peaks.some((peakGrowth) => peakGrowth > MAX_PEAK_GROWTH);
}
