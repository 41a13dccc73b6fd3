// This script measures the replay of an archive as busy as mainnet's: node scripts/bench/busy.ts [--quick] …
// In one run it times the replay, plain and gzipped, beside a bare parse of every line; and it compares the index with
// that of the same archive without the calls that nothing is needed of.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCount } from '#text/format-count.ts';
import { compare, type Figure, report } from './figures.ts';
import { measure, stxpress } from './measure.ts';
import { readOptions, withFolder } from './options.ts';

const BARE_PARSE = fileURLToPath(new URL('./bare-parse.ts', import.meta.url));
const MAKE_BUSY_CHAIN = fileURLToPath(new URL('./make-busy-chain.ts', import.meta.url));
/** SQLite packs the same rows a little differently where they were written in other batches. */
const MAX_GROWTH = 1.02;
const options = readOptions(process.argv.slice(2));

await withFolder(options.temp, async (folder) => {
  const make = async (name: string, ...more: string[]) => {
    const file = join(folder, name);
    await measure(process.execPath, [MAKE_BUSY_CHAIN, file, '--megabytes', String(options.megabytes), ...more]);
    return file;
  };
  const archive = await make('busy.tsv');
  const withoutCalls = await make('without-calls.tsv', '--without-calls');
  await measure('gzip', ['-1', '-k', archive]);
  const databaseOf = (round: string) => join(folder, round, 'index.sqlite');
  const index = (round: string, file: string) =>
    stxpress('index', '--db', databaseOf(round), '--archive', file, '--no-vm', '--no-fetch');

  const figures: Figure[] = [];
  for (const [what, file] of [
    ['replay of a busy archive into an empty index', archive],
    ['the busy archive gzipped', `${archive}.gz`],
  ] as const) {
    const comparison = {
      what,
      run: (round: number) => index(`${figures.length}-${round}`, file),
      baseline: 'parsing every line',
      runBaseline: () => measure(process.execPath, [BARE_PARSE, file]),
      target: { times: 1 },
    };
    figures.push(await compare(comparison, options.rounds));
  }
  await index('without-calls', withoutCalls);
  const [size, smallest] = ['0-0', 'without-calls'].map((round) => statSync(databaseOf(round)).size) as [
    number,
    number,
  ];
  const kilobytes = (bytes: number) => `${formatCount(Math.round(bytes / 1_000))} KB`;
  const input = `a busy archive of ${formatCount(options.megabytes)} MB`;
  report('busy', input, figures, options);
  console.log(`The index has ${kilobytes(size)}; ${kilobytes(smallest)} without the calls that are not watched.`);
  if (size > MAX_GROWTH * smallest) process.exitCode = 1;
});
