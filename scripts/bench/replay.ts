// Measures the replay of archives, plain and gzipped, into an empty index, compared with only parsing every line.
import { statSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { type Bench, baseline, indexChain, makeChain, runScript } from './bench.ts';
import { compare, type Figure, type Report, type Target } from './figures.ts';
import { measure } from './measure.ts';

/**
 * The maximum factor by which transactions that an index does not store may enlarge it. They change the batches, and
 * SQLite packs the rows of other batches slightly differently.
 */
const MAX_GROWTH = 1.02;

/**
 * Replays a synthetic chain into an empty index, then into the full index. The second replay is compared with `gzip -dc
 * | wc -l`.
 */
export async function replay(bench: Bench): Promise<Report> {
  const archive = bench.path('chain.tsv');
  await makeChain(archive, bench);
  const figures = await besideParsing(bench, archive, {
    plain: 'replay of an archive into an empty index',
    gzipped: 'the same archive gzipped',
    target: { times: 3, goal: 2 },
  });
  const again = await compare(bench.rounds, {
    what: 'replaying an indexed archive',
    run: () => indexChain(databaseOf(bench, 'gzipped-0'), `${archive}.gz`),
    baseline: '`gzip -dc \\| wc -l`',
    runBaseline: () => measure('sh', ['-c', `gzip -dc "${archive}.gz" | wc -l`]),
    target: { times: 2 },
  });
  return { input: `${formatCount(bench.contracts)} contracts`, figures: [...figures, again] };
}

/** Replays a chain as busy as mainnet's. The index must not grow with transactions that do not write variables. */
export async function busy(bench: Bench): Promise<Report> {
  const make = async (name: string, ...flags: string[]) => {
    await runScript('make-busy-chain', bench.path(name), '--megabytes', bench.megabytes, ...flags);
    return bench.path(name);
  };
  const archive = await make('busy.tsv');
  const figures = await besideParsing(bench, archive, {
    plain: 'replay of a busy archive into an empty index',
    gzipped: 'the busy archive gzipped',
    target: { times: 1 },
  });
  const smallest = databaseOf(bench, 'without-calls');
  await indexChain(smallest, await make('without-calls.tsv', '--without-calls'));
  const [size, minSize] = [databaseOf(bench, 'plain-0'), smallest].map((path) => statSync(path).size) as [
    number,
    number,
  ];
  const kilobytes = (bytes: number) => `${formatCount(Math.round(bytes / 1_000))} KB`;
  console.log(`The index has ${kilobytes(size)}; ${kilobytes(minSize)} without transactions that write no variable.`);
  const input = `a busy archive of ${formatCount(bench.megabytes)} MB`;
  return { input, figures, isMissed: size > MAX_GROWTH * minSize };
}

async function besideParsing(
  bench: Bench,
  archive: string,
  { target, ...names }: { readonly plain: string; readonly gzipped: string; readonly target: Target },
): Promise<Figure[]> {
  await measure('gzip', ['-1', '-k', archive]);
  const figures: Figure[] = [];
  for (const form of ['plain', 'gzipped'] as const) {
    const file = form === 'plain' ? archive : `${archive}.gz`;
    const figure = await compare(bench.rounds, {
      what: names[form],
      run: (round) => indexChain(databaseOf(bench, `${form}-${round}`), file),
      baseline: 'parsing every line',
      runBaseline: () => baseline('parse', file),
      target,
    });
    figures.push(figure);
  }
  return figures;
}

const databaseOf = (bench: Bench, round: string): string => bench.path(`${round}/index.sqlite`);
