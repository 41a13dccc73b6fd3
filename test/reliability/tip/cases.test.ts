// Runs hand-written programs in the Clarity VM, indexes their blocks as an archive, and compares each served value with
// the VM's value. Each program covers one cause of wrong values: a value must be equal, or its status must report a
// reason.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ASSETS } from './cases/assets.ts';
import { BRANCHES } from './cases/branches.ts';
import type { Case } from './cases/case.ts';
import { DECIDED } from './cases/decided.ts';
import { DEPLOYS } from './cases/deploys.ts';
import { ENVIRONMENT } from './cases/environment.ts';
import { GUARDS } from './cases/guards.ts';
import { HOLDING } from './cases/holding.ts';
import { NO_VARIABLE } from './cases/no-variable.ts';
import { OLDER } from './cases/older.ts';
import { ORDER } from './cases/order.ts';
import { PASSED } from './cases/passed.ts';
import { SEMI_FUNGIBLE } from './cases/semi-fungible.ts';
import { SUPPLIES } from './cases/supplies.ts';
import { formatJudged, type Judged } from './judge-values.ts';
import { formatProgram } from './program.ts';
import { runWorld, stagesOf } from './world.ts';

const CASES = [
  ...NO_VARIABLE,
  ...ENVIRONMENT,
  ...ASSETS,
  ...GUARDS,
  ...DECIDED,
  ...DEPLOYS,
  ...ORDER,
  ...PASSED,
  ...OLDER,
  ...SUPPLIES,
  ...HOLDING,
  ...BRANCHES,
  ...SEMI_FUNGIBLE,
];
/** The largest chain takes about 15 seconds on an idle machine. */
const LIMIT_MS = 300_000;

/**
 * Returns the same key for cases that can share a chain, since their options are equal and their steps arrive in the
 * same runs.
 */
function worldKey(testCase: Case): string {
  const arrivals = stagesOf(testCase).map((stage) => stage[0]?.run ?? 0);
  return JSON.stringify([testCase.network, testCase.epoch, testCase.runs, testCase.last, arrivals]);
}

describe.each([...Map.groupBy(CASES, worldKey)])('values at the tip of chain %$', (_, cases) => {
  let judged: readonly Judged[];
  beforeAll(async () => {
    // The VM prints runtime errors, which are expected here.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    judged = (await runWorld(cases, cases[0])).judged;
    printed.mockRestore();
  }, LIMIT_MS);

  test.each(cases)('$name: $about', (testCase) => {
    const values = judged.filter(({ program }) => program === testCase.name);
    const shown = [formatProgram(testCase), ...values.map(formatJudged)].join('\n');
    expect(
      values.map(({ name }) => name),
      shown,
    ).toContain(testCase.value);
    expect(values.filter(({ verdict }) => verdict === 'wrong').map(formatJudged), shown).toEqual([]);
    if (testCase.must === 'right')
      expect(
        values.filter(({ name, verdict }) => name === testCase.value && verdict !== 'right').map(formatJudged),
        shown,
      ).toEqual([]);
  });
});
