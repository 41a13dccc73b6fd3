// Runs random programs in the Clarity VM, indexes their blocks as archives, and compares each served value with the
// VM's value. They must be equal, or the status must report a reason.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Random } from '../../support/random.ts';
import { limitOf, rounds } from '../../support/soak.ts';
import { shrink } from '../shrink.ts';
import { makeProgram } from './generate/make-program.ts';
import { formatJudged } from './judge-values.ts';
import { arrange, MODES, type Mode } from './modes.ts';
import { formatProgram, type Program } from './program.ts';
import { smallerPrograms } from './smaller-programs.ts';
import { runWorld } from './world.ts';

/** The number of programs on one chain, in modes that do not set this number. */
const PROGRAMS = 6;
const SHRINKING_MS = 60_000;

async function findWrong(programs: readonly Program[], mode: Mode) {
  const { judged } = await runWorld(programs, mode);
  return judged.filter(({ verdict }) => verdict === 'wrong');
}

/** Describes a failure: the smallest program found that still fails, and its wrong values. */
async function explain(program: Program, mode: Mode): Promise<string> {
  const fails = async (smaller: Program) => (await findWrong([smaller], mode)).length > 0;
  const smallest = await shrink(program, smallerPrograms, fails, performance.now() + SHRINKING_MS);
  // A value that depends on the height of the chain may be right if the program runs on a chain for itself.
  return [formatProgram(smallest), ...(await findWrong([smallest], mode)).map(formatJudged)].join('\n');
}

beforeAll(() => {
  // The VM prints runtime errors, which are expected here.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
});

test.each(MODES)('serves right values or a reason: $name', { timeout: limitOf(6) }, async (mode) => {
  for (const seed of rounds(1)) {
    const random = new Random(seed);
    const programs = Array.from({ length: mode.programs ?? PROGRAMS }, (_, index) =>
      arrange(makeProgram(`s${index}`, random.below(2 ** 31)), mode, random),
    );
    const wrong = await findWrong(programs, mode);
    const [failed] = programs.filter(({ name }) => wrong.some((value) => value.program === name));
    if (failed !== undefined)
      expect.fail([`SEED=${seed}`, ...wrong.map(formatJudged), await explain(failed, mode)].join('\n'));
  }
});
