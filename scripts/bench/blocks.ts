// Measures indexing a million nearly empty blocks, like most of mainnet's, compared with only parsing them.
import { rmSync, statSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { type Bench, baseline, indexChain, runScript } from './bench.ts';
import { compare, type Figure, type Report } from './figures.ts';

const [MAX_BLOCK_BYTES, MAX_CALL_BYTES] = [60, 165];

export async function blocks(bench: Bench): Promise<Report> {
  const count = bench.isJudged ? 1_000_000 : 10_000;
  const figures: Figure[] = [];
  const bytes: number[] = [];
  for (const [what, ...flags] of [
    ['blocks without content'],
    ['blocks with one stored call each', '--with-calls'],
  ] as const) {
    const archive = bench.path('blocks.tsv');
    const db = (round: number) => bench.path(`blocks-${bytes.length}-${round}/index.sqlite`);
    await runScript('make-blocks', archive, '--blocks', count, ...flags);
    const figure = await compare(bench.rounds, {
      what,
      run: (round) => indexChain(db(round), archive),
      baseline: 'parsing every line',
      runBaseline: () => baseline('parse', archive),
      target: { times: 1.5 },
    });
    figures.push(figure);
    bytes.push(statSync(db(0)).size / count);
    rmSync(archive);
  }
  const [bytesPerBlock = 0, bytesWithCall = 0] = bytes;
  console.log(
    `A block takes ${bytesPerBlock.toFixed(1)} bytes of the index, a call ${(bytesWithCall - bytesPerBlock).toFixed(1)}.`,
  );
  return {
    input: `${formatCount(count)} blocks`,
    figures,
    isMissed: bench.isJudged && (bytesPerBlock > MAX_BLOCK_BYTES || bytesWithCall - bytesPerBlock > MAX_CALL_BYTES),
  };
}
