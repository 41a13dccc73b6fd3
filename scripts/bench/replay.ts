// Measures the replay of archives, plain and gzipped, into an empty index, beside a bare parse of every line.
import { statSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { type Bench, baseline, indexChain, makeChain, runScript } from './bench.ts';
import { compare, type Figure, type Report, type Target } from './figures.ts';
import { measure } from './measure.ts';

/** SQLite packs the same rows a little differently where they were written in other batches. */
const MAX_GROWTH = 1.02;

/** A synthetic chain; and what is indexed already, beside `gzip -dc | wc -l`. */
export async function replay(bench: Bench): Promise<Report> {
  const archive = bench.path('chain.tsv');
  await makeChain(archive, bench);
  const figures = await besideParsing(bench, archive, {
    plain: 'replay of an archive into an empty index',
    gzipped: 'the same archive gzipped',
    target: { times: 3, goal: 2 },
  });
  const again = await compare(bench.rounds, {
    what: 'replaying it when it is indexed',
    run: () => indexChain(databaseOf(bench, 'gzipped-0'), `${archive}.gz`),
    baseline: '`gzip -dc \\| wc -l`',
    runBaseline: () => measure('sh', ['-c', `gzip -dc "${archive}.gz" | wc -l`]),
    target: { times: 2 },
  });
  return { input: `${formatCount(bench.contracts)} contracts`, figures: [...figures, again] };
}

/** A chain as busy as mainnet's; the index must not grow with transactions that write no variable. */
export async function busy(bench: Bench): Promise<Report> {
  const make = async (name: string, ...more: string[]) => {
    await runScript('make-busy-chain', bench.path(name), '--megabytes', bench.megabytes, ...more);
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
  const [size, least] = [databaseOf(bench, 'plain-0'), smallest].map((path) => statSync(path).size) as [number, number];
  const kilobytes = (bytes: number) => `${formatCount(Math.round(bytes / 1_000))} KB`;
  console.log(`The index has ${kilobytes(size)}; ${kilobytes(least)} without transactions that write no variable.`);
  const input = `a busy archive of ${formatCount(bench.megabytes)} MB`;
  return { input, figures, isMissed: size > MAX_GROWTH * least };
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
