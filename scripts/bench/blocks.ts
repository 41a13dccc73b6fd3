// Measures indexing a million blocks that have hardly any content, as on mainnet, next to a bare parse.
import { rmSync, statSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { type Bench, baseline, indexChain, runScript } from './bench.ts';
import { compare, type Figure, type Report } from './figures.ts';

const [MAX_BLOCK_BYTES, MAX_CALL_BYTES] = [60, 165];

export async function blocks(bench: Bench): Promise<Report> {
  const count = bench.isJudged ? 1_000_000 : 10_000;
  const figures: Figure[] = [];
  const bytes: number[] = [];
  for (const [what, ...more] of [
    ['blocks without content'],
    ['blocks with a kept call each', '--with-calls'],
  ] as const) {
    const archive = bench.path('blocks.tsv');
    const db = (round: number) => bench.path(`blocks-${bytes.length}-${round}/index.sqlite`);
    await runScript('make-blocks', archive, '--blocks', count, ...more);
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
  const [ofBlock = 0, withCall = 0] = bytes;
  console.log(`A block takes ${ofBlock.toFixed(1)} bytes of the index, a call ${(withCall - ofBlock).toFixed(1)}.`);
  return {
    input: `${formatCount(count)} blocks`,
    figures,
    isMissed: bench.isJudged && (ofBlock > MAX_BLOCK_BYTES || withCall - ofBlock > MAX_CALL_BYTES),
  };
}
