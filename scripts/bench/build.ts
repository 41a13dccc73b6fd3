// Measures full builds, compared with `tar -x` of the same tree, and builds after few or no changes.
import { mkdirSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { type Bench, baseline, buildSite, indexChain, makeChain } from './bench.ts';
import { compare, type Report } from './figures.ts';
import { measure } from './measure.ts';

/**
 * Builds as many contracts as mainnet has. Compares a full build with `tar -x` of the same tree, and a build without
 * changes with `node -e 0`. Compares a build after 100 contracts changed with writing the changed files. Full builds and
 * `tar` write to new folders, after `sync`. Nothing is deleted before the end, since deletions slow later writes.
 */
export async function build(bench: Bench): Promise<Report> {
  const { path, rounds } = bench;
  const [archive, fork, tree] = [path('chain.tsv'), path('fork.tsv'), path('tree.tar')];
  const [db, dist] = [path('index.sqlite'), path('dist')];
  /** Returns the folder of the full build of a round. Later figures build into the same folder again. */
  const distOf = (round: number) => path(`dist-${round}`);
  await makeChain(archive, bench, '--fork', fork);
  await indexChain(db, archive);
  await buildSite(db, dist);
  await measure('tar', ['-cf', tree, '--exclude=.stxpress', '-C', dist, '.']);
  const full = await compare(rounds, {
    what: 'full build',
    run: async (round) => {
      await measure('sync', []);
      return buildSite(db, distOf(round));
    },
    baseline: '`tar -x` of the same tree',
    runBaseline: async (round) => {
      const to = path(`tar-${round}`);
      mkdirSync(to);
      await measure('sync', []);
      return measure('tar', ['-xf', tree, '-C', to]);
    },
    target: { times: 1 },
  });
  const nothing = await compare(2 * rounds, {
    what: 'build with nothing changed',
    run: () => buildSite(db, dist),
    baseline: '`node -e 0`',
    runBaseline: () => measure(process.execPath, ['-e', '0']),
    target: { above: 0.25 },
  });
  await indexChain(db, fork);
  let startedAt = 0;
  const changed = await compare(rounds, {
    what: 'build after 100 contracts changed',
    run: (round) => {
      startedAt = Date.now();
      return buildSite(db, distOf(round));
    },
    baseline: 'writing those files',
    runBaseline: (round) => baseline('write', distOf(round), path(`written-${round}`), String(startedAt)),
    target: { above: 0.3 },
  });
  return { input: `${formatCount(bench.contracts)} contracts`, figures: [full, nothing, changed] };
}
