// This script measures building: node scripts/bench/build.ts [--quick] …
// In one run it times a full build beside `tar -x` of the same tree, a build with nothing changed beside an empty Node,
// and one after 100 contracts changed beside writing their files.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatCount } from '#text/format-count.ts';
import { compare, report } from './figures.ts';
import { besideTar, builderOf, distOf } from './full-build.ts';
import { measure, stxpress } from './measure.ts';
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

  const build = builderOf(db);
  const dist = join(folder, 'dist');
  await build(dist);
  const full = await besideTar(folder, dist, build, { what: 'full build', target: { times: 1 } });
  const nothing = {
    what: 'build with nothing changed',
    run: () => build(dist),
    baseline: '`node -e 0`',
    runBaseline: () => measure(process.execPath, ['-e', '0']),
    target: { above: 0.25 },
  };
  const changed = {
    what: 'build after 100 contracts changed',
    run: (round: number) => build(distOf(folder, round)),
    baseline: 'writing those files',
    runBaseline: (round: number) =>
      measure(process.execPath, [WRITE_FILES, distOf(folder, round), join(folder, `written-${round}`)]),
    target: { above: 0.3 },
  };
  const figures = [await compare(full, options.rounds), await compare(nothing, 2 * options.rounds)];
  await stxpress('index', '--db', db, '--archive', fork, '--no-vm', '--no-fetch');
  figures.push(await compare(changed, options.rounds));
  report('build', `${formatCount(options.contracts)} contracts`, figures, options);
});
