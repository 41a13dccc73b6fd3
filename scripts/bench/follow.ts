// Measures how fast a follower responds to a node while index and build run. The node posts 100 KB at a time, and the
// baseline is plain synchronous writes. A second benchmark measures a node that catches up with small blocks.
import { spawn } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { formatCount } from '#text/format-count.ts';
import { ENTRY, untilPrinted } from '../../test/support/run-cli.ts';
import { type Bench, makeChain } from './bench.ts';
import type { Report } from './figures.ts';
import { median } from './measure.ts';

const PAYLOAD_BYTES = 100_000;

export async function follow(bench: Bench): Promise<Report> {
  const [posts, burst] = bench.isJudged ? [2_000, 5_000] : [100, 150];
  const archive = bench.path('chain.tsv');
  await makeChain(archive, { ...bench, contracts: 20 * burst }, '--source-share', '0.1');
  const blocks = readFileSync(archive, 'utf8').trimEnd().split('\n');
  const bodies = blocks.map((line) => line.slice(line.lastIndexOf('\t') + 1).replaceAll('\\\\', '\\'));
  using child = spawn(process.execPath, [ENTRY, 'follow', '--listen', '127.0.0.1:0', '--every', '1s', '--build'], {
    cwd: bench.folder,
    env: { ...process.env, STXPRESS_NO_FETCH: '1', STXPRESS_NO_VM: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [, url] = /at (\S+) for/.exec(await untilPrinted(child.stdout, /Listening at \S+ for/)) ?? [];
  const post = (path: string, body: string) =>
    timed(async () => {
      const headers = { 'Content-Type': 'application/json' };
      const { status } = await fetch(`http://${url}${path}`, { method: 'POST', headers, body });
      if (status !== 200) throw new Error(`${path} returned status ${status}`);
    });
  const burstSeconds = await timed(async () => {
    for (const body of bodies.slice(0, burst)) await post('/new_block', body);
  });
  const padding = JSON.stringify({ padding: 'x'.repeat(PAYLOAD_BYTES - 20) });
  const [posted, bare]: [number[], number[]] = [[], []];
  const file = openSync(bench.path('bare'), 'a');
  for (let round = 0; round < posts; round++) {
    posted.push(await post('/new_burn_block', padding));
    bare.push(
      await timed(() => {
        writeSync(file, padding);
        fdatasyncSync(file);
      }),
    );
  }
  closeSync(file);
  console.log(`Median ${(1_000 * median(posted)).toFixed(1)} ms, bare ${(1_000 * median(bare)).toFixed(1)} ms.`);
  const p99 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
  return {
    input: `${formatCount(burst)} blocks of 20 contracts`,
    figures: [
      {
        what: `post of 100 KB, at the 99th percentile of ${formatCount(posts)}`,
        seconds: p99(posted),
        baseline: 'the same as synchronous writes',
        baselineSeconds: p99(bare),
        target: { above: 0.05 },
      },
      {
        what: `${formatCount(burst)} blocks in sequence`,
        seconds: burstSeconds,
        baseline: 'a minute',
        baselineSeconds: 60,
        target: { times: 1 },
      },
    ],
  };
}

/** Returns the duration of some work in seconds. */
async function timed(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}
