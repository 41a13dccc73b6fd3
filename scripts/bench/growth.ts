// This script measures growth: node scripts/bench/growth.ts [--quick] …
// It indexes and builds synthetic chains of 10,000, 100,000 and 1,000,000 contracts, sources cut to a tenth, and draws
// time and peak of memory: time is to grow as the chain does, memory is not to.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderGrowth, type Size } from './draw-growth.ts';
import { describeMachine, stxpress } from './measure.ts';
import { makeChain, readOptions, withFolder } from './options.ts';

const options = readOptions(process.argv.slice(2));
const CONTRACTS = options.isJudged ? [10_000, 100_000, 1_000_000] : [500, 1_000, 2_000];
const MAX_PEAK_GROWTH = 1.25;

await withFolder(options.temp, async (folder) => {
  const sizes: Size[] = [];
  for (const contracts of CONTRACTS) {
    const archive = join(folder, `${contracts}.tsv`);
    const db = join(folder, String(contracts), 'index.sqlite');
    await makeChain(archive, { ...options, contracts }, '--source-share', '0.1');
    const index = await stxpress('index', '--db', db, '--archive', archive, '--no-vm', '--no-fetch');
    rmSync(archive);
    const build = await stxpress('build', '--db', db, '--out', join(folder, String(contracts), 'dist'));
    sizes.push({ contracts, index, build });
    for (const [what, { seconds, peakMb }] of Object.entries({ index, build }))
      console.log(`${contracts.toLocaleString('en')} contracts: ${what} ${seconds.toFixed(1)} s, peak ${peakMb} MB`);
  }
  const results = { machine: describeMachine(), sizes };
  writeFileSync(join(options.results, 'growth.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(options.results, 'growth.svg'), renderGrowth(sizes));
  const [, large, largest] = sizes as [Size, Size, Size];
  for (const what of ['index', 'build'] as const) {
    const grown = (largest[what].peakMb ?? 0) / (large[what].peakMb ?? 1);
    const slower = largest[what].seconds / large[what].seconds / (largest.contracts / large.contracts);
    console.log(
      `${what}: time a contract ${slower.toFixed(2)} x, peak ${grown.toFixed(2)} x from the second to the third`,
    );
    if (options.isJudged && grown > MAX_PEAK_GROWTH) process.exitCode = 1;
  }
});
