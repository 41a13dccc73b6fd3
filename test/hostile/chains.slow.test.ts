// Checks that the time to index and build chains of many shapes grows linearly with the length of the chain. Measures
// all chains together, and each chain only if they exceed linear time together.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { archiveOf, CHAINS } from './chains.ts';
import { runMeasured } from './run-measured.ts';

const FACTOR = 4;
/** The length of the shorter chains, as a share of the length in their table. */
const SIZE = 0.5;
/**
 * The maximum growth of the time for a chain of 4 times the length. Linear work takes 4 times as long, and quadratic
 * work 16 times.
 */
const MAX_GROWTH = 6;
/** Shorter times count as this time in comparisons, since they depend more on the machine than on the code. */
const LEAST_SECONDS = 1;

/** Returns the processor time to index an archive with the VM and to build the index, in seconds. */
async function cost(archive: string): Promise<number> {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'chain.tsv'), archive);
  let seconds = 0;
  for (const args of [['index', '--archive', 'chain.tsv', '--offline'], ['build']]) {
    const { status, stderr, cpuSeconds } = await runMeasured(args, { cwd });
    expect([0, 75], stderr).toContain(status);
    expect(stderr).not.toContain('bug');
    seconds += cpuSeconds;
  }
  return seconds;
}

test('takes linear time for chains of all shapes', async () => {
  const [small, large] = [await cost(archiveOf(CHAINS, SIZE)), await cost(archiveOf(CHAINS, FACTOR * SIZE))];
  if (large <= FACTOR * small) return;
  const least = await cost(archiveOf(CHAINS.slice(0, 1), 1 / 1_000));
  for (const name of CHAINS) {
    const [short, long] = [await cost(archiveOf([name], 1)), await cost(archiveOf([name], FACTOR))];
    const measured = `${name}: ${least} s for a tiny archive, ${short} s, then ${long} s`;
    expect.soft(long - least, measured).toBeLessThan(MAX_GROWTH * Math.max(short - least, LEAST_SECONDS));
  }
}, 3_600_000);
