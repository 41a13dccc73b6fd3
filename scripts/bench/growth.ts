// This script measures growth: node scripts/bench/growth.ts [--quick] …
// It indexes and builds synthetic chains of 10,000, 100,000 and 1,000,000 contracts, sources cut to a tenth, and then of
// as many tokens of collections, and draws time and peak of memory: time is to grow as the chain does, memory is not to.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderGrowth, type Size } from './draw-growth.ts';
import { describeMachine, stxpress } from './measure.ts';
import { makeChain, makeCollections, readOptions, withFolder } from './options.ts';

const options = readOptions(process.argv.slice(2));
const COUNTS = options.isJudged ? [10_000, 100_000, 1_000_000] : [500, 1_000, 2_000];
/** Beside the tokens of collections. */
const FEW_CONTRACTS = 1_000;
const MAX_PEAK_GROWTH = 1.25;

interface Growth {
  readonly noun: string;
  readonly results: string;
  /** Makes an archive with so many. */
  readonly make: (archive: string, count: number) => Promise<unknown>;
  readonly flags: readonly string[];
}

const GROWTHS: readonly Growth[] = [
  {
    noun: 'contracts',
    results: 'growth',
    make: (archive, contracts) => makeChain(archive, { ...options, contracts }, '--source-share', '0.1'),
    flags: ['--no-vm', '--no-fetch'],
  },
  {
    noun: 'tokens of collections',
    results: 'growth-tokens',
    make: async (archive, count) => {
      await makeChain(archive, { ...options, contracts: FEW_CONTRACTS }, '--source-share', '0.1');
      await makeCollections(archive, { contracts: FEW_CONTRACTS, tokens: count });
    },
    flags: ['--no-fetch'],
  },
];

await withFolder(options.temp, async (folder) => {
  for (const growth of GROWTHS) await measureGrowth(growth, folder);
});

async function measureGrowth({ noun, results, make, flags }: Growth, temp: string): Promise<void> {
  const sizes: Size[] = [];
  for (const count of COUNTS) {
    const folder = join(temp, `${results}-${count}`);
    const archive = `${folder}.tsv`;
    const db = join(folder, 'index.sqlite');
    await make(archive, count);
    const index = await stxpress('index', '--db', db, '--archive', archive, ...flags);
    rmSync(archive);
    const build = await stxpress('build', '--db', db, '--out', join(folder, 'dist'));
    rmSync(folder, { recursive: true });
    sizes.push({ count, index, build });
    for (const [what, { seconds, peakMb }] of Object.entries({ index, build }))
      console.log(`${count.toLocaleString('en')} ${noun}: ${what} ${seconds.toFixed(1)} s, peak ${peakMb} MB`);
  }
  writeFileSync(
    join(options.results, `${results}.json`),
    `${JSON.stringify({ machine: describeMachine(), sizes }, null, 2)}\n`,
  );
  writeFileSync(join(options.results, `${results}.svg`), renderGrowth(noun, sizes));
  const [, large, largest] = sizes as [Size, Size, Size];
  for (const what of ['index', 'build'] as const) {
    const grown = (largest[what].peakMb ?? 0) / (large[what].peakMb ?? 1);
    const slower = largest[what].seconds / large[what].seconds / (largest.count / large.count);
    console.log(
      `${what}: time for one ${slower.toFixed(2)} x, peak ${grown.toFixed(2)} x from the second to the third`,
    );
    if (options.isJudged && grown > MAX_PEAK_GROWTH) process.exitCode = 1;
  }
}
