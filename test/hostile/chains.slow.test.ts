// Checks that the time to index and build chains of many shapes grows linearly with the length of the chain.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { CHAINS } from './chains.ts';
import { runMeasured } from './run-measured.ts';

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

/** The processor time for a tiny archive. Each test subtracts it, since it does not grow. */
let base: Promise<number> | undefined;

test.each(Object.entries(CHAINS))('takes linear time for %s', async (_, { size, make }) => {
  base ??= cost(CHAINS['a list as an argument']?.make(2) ?? '');
  const [least, small, large] = [await base, await cost(make(size)), await cost(make(4 * size))];
  const measured = `${least} s for a tiny archive, ${small} s, then ${large} s`;
  expect(large - least, measured).toBeLessThan(MAX_GROWTH * Math.max(small - least, LEAST_SECONDS));
});
