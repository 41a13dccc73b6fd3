// This script measures the replay of archives: node scripts/bench/replay.ts [--quick] …
// In one run it times the replay of a synthetic archive, plain and gzipped, beside a bare parse of it, and the replay
// of what is
// indexed already beside `gzip -dc | wc -l`.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCount } from '#model/format-count.ts';
import { type Figure, figureOf, report } from './figures.ts';
import { type Measured, measure, stxpress } from './measure.ts';
import { makeChain, readOptions, withFolder } from './options.ts';

const BARE_PARSE = fileURLToPath(new URL('./bare-parse.ts', import.meta.url));
const options = readOptions(process.argv.slice(2));

await withFolder(options.temp, async (folder) => {
  const archive = join(folder, 'chain.tsv');
  const gzipped = `${archive}.gz`;
  await makeChain(archive, options);
  await measure('gzip', ['-1', '-k', archive]);
  const figures: Figure[] = [];
  let db = '';
  const index = (round: string, file: string) => {
    db = join(folder, round, 'index.sqlite');
    return stxpress('index', '--db', db, '--archive', file, '--no-vm', '--no-fetch');
  };
  for (const [what, file] of [
    ['replay of an archive into an empty index', archive],
    ['the same archive gzipped', gzipped],
  ] as const) {
    const runs: Measured[] = [];
    const bare: Measured[] = [];
    for (let round = 0; round < options.rounds; round++) {
      bare.push(await measure(process.execPath, [BARE_PARSE, file]));
      runs.push(await index(`${figures.length}-${round}`, file));
    }
    figures.push(figureOf(what, runs, 'parsing every line', bare, { times: 3, goal: 2 }));
  }
  const again: Measured[] = [];
  const count: Measured[] = [];
  for (let round = 0; round < options.rounds; round++) {
    count.push(await measure('sh', ['-c', `gzip -dc "${gzipped}" | wc -l`]));
    again.push(await stxpress('index', '--db', db, '--archive', gzipped, '--no-vm', '--no-fetch'));
  }
  figures.push(figureOf('replaying it when it is indexed', again, '`gzip -dc \\| wc -l`', count, { times: 2 }));
  report('replay', `${formatCount(options.contracts)} contracts`, figures, options);
});
