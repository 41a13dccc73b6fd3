// This script measures building: node scripts/bench/build.ts [--quick] …
// In one run it times a full build beside `tar -x` of the same tree, a build with nothing changed beside an empty Node,
// and one
// after 100 contracts changed beside writing their files. Nothing is deleted before the end, since that slows what
// follows it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCount } from '#model/format-count.ts';
import { type Figure, figureOf, report } from './figures.ts';
import { type Measured, measure, stxpress } from './measure.ts';
import { makeChain, readOptions, withFolder } from './options.ts';

const WRITE_FILES = fileURLToPath(new URL('./bare-write.ts', import.meta.url));
const options = readOptions(process.argv.slice(2));

await withFolder(options.temp, async (folder) => {
  const [archive, fork, db] = ['chain.tsv', 'fork.tsv', 'index.sqlite'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await makeChain(archive, options, '--fork', fork);
  await stxpress('index', '--db', db, '--archive', archive, '--no-vm', '--no-fetch');

  const build = (out: string) => stxpress('build', '--db', db, '--out', out);
  const dist = join(folder, 'dist');
  await build(dist);
  const tree = join(folder, 'tree.tar');
  await measure('tar', ['-cf', tree, '--exclude=.stxpress', '-C', dist, '.']);
  const full: Measured[] = [];
  const untar: Measured[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const to = join(folder, `tar-${round}`);
    mkdirSync(to);
    await measure('sync', []);
    untar.push(await measure('tar', ['-xf', tree, '-C', to]));
    await measure('sync', []);
    full.push(await build(join(folder, `dist-${round}`)));
  }
  const figures: Figure[] = [figureOf('full build', full, '`tar -x` of the same tree', untar, { times: 1 })];

  const nothing: Measured[] = [];
  const node: Measured[] = [];
  for (let round = 0; round < 2 * options.rounds; round++) {
    node.push(await measure(process.execPath, ['-e', '0']));
    nothing.push(await build(dist));
  }
  figures.push(figureOf('build with nothing changed', nothing, '`node -e 0`', node, { above: 0.25 }));

  await stxpress('index', '--db', db, '--archive', fork, '--no-vm', '--no-fetch');
  const changed: Measured[] = [];
  const write: Measured[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const out = join(folder, `dist-${round}`);
    changed.push(await build(out));
    write.push(await measure(process.execPath, [WRITE_FILES, out, join(folder, `written-${round}`)]));
  }
  figures.push(figureOf('build after 100 contracts changed', changed, 'writing those files', write, { above: 0.3 }));
  report('build', `${formatCount(options.contracts)} contracts`, figures, options);
});
