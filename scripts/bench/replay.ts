// This script measures the replay of archives: node scripts/bench/replay.ts [--quick] …
// In one run it times the replay of a synthetic archive, plain and gzipped, beside a bare parse of it, and the replay
// of what is indexed already beside `gzip -dc | wc -l`.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCount } from '#text/format-count.ts';
import { compare, type Figure, report } from './figures.ts';
import { measure, stxpress } from './measure.ts';
import { makeChain, readOptions, withFolder } from './options.ts';

const BARE_PARSE = fileURLToPath(new URL('./bare-parse.ts', import.meta.url));
const options = readOptions(process.argv.slice(2));

await withFolder(options.temp, async (folder) => {
  const archive = join(folder, 'chain.tsv');
  const gzipped = `${archive}.gz`;
  await makeChain(archive, options);
  await measure('gzip', ['-1', '-k', archive]);
  const figures: Figure[] = [];
  const index = (round: string, file: string) =>
    stxpress('index', '--db', join(folder, round, 'index.sqlite'), '--archive', file, '--no-vm', '--no-fetch');
  for (const [what, file] of [
    ['replay of an archive into an empty index', archive],
    ['the same archive gzipped', gzipped],
  ] as const) {
    const comparison = {
      what,
      run: (round: number) => index(`${figures.length}-${round}`, file),
      baseline: 'parsing every line',
      runBaseline: () => measure(process.execPath, [BARE_PARSE, file]),
      target: { times: 3, goal: 2 },
    };
    figures.push(await compare(comparison, options.rounds));
  }
  const again = {
    what: 'replaying it when it is indexed',
    run: () => index('0-0', gzipped),
    baseline: '`gzip -dc \\| wc -l`',
    runBaseline: () => measure('sh', ['-c', `gzip -dc "${gzipped}" | wc -l`]),
    target: { times: 2 },
  };
  figures.push(await compare(again, options.rounds));
  report('replay', `${formatCount(options.contracts)} contracts`, figures, options);
});
