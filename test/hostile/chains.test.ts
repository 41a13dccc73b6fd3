// Checks that the time to index and build grows linearly with the length of a chain, for chains of many shapes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { CHAINS } from './chains.ts';
import { runMeasured } from './run-measured.ts';

/** Linear work takes 4 times as long for 4 times the length; quadratic work 16 times. */
const MAX_GROWTH = 6;
/** Minimum time for a comparison; shorter times depend more on the machine than on the code. */
const LEAST_SECONDS = 1;

/** Returns processor time of an index run with the VM, and of a build of its index. */
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

/** The cost of a tiny archive, which each test subtracts. */
let base: Promise<number> | undefined;

test.each(Object.entries(CHAINS))('behavior: takes linear time for %s', async (_, { size, make }) => {
  base ??= cost(CHAINS['a list as an argument']?.make(2) ?? '');
  const [least, small, large] = [await base, await cost(make(size)), await cost(make(4 * size))];
  const measured = `${least} s for a tiny archive, ${small} s, then ${large} s`;
  expect(large - least, measured).toBeLessThan(MAX_GROWTH * Math.max(small - least, LEAST_SECONDS));
});
