// Runs random programs in the Clarity VM, indexes their blocks as archives, and compares each served value with the
// VM's value. They must be equal, or the status must report a reason. Environment variables:
//
//   TIP_PROGRAMS=2000    the number of programs, distributed over all modes
//   TIP_SEED=7           the seed; each seed selects different programs
//   TIP_SHOWN=3          the number of failed programs to reduce and show
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { explain, runCampaign, summarize } from './campaign.ts';
import { MODES, type Mode } from './modes.ts';

const SEED = Number(process.env.TIP_SEED ?? 1);
const PROGRAMS = process.env.TIP_PROGRAMS === undefined ? undefined : Number(process.env.TIP_PROGRAMS);
/**
 * The number of programs in each mode without TIP_PROGRAMS. Only two modes run by default, because each mode takes a
 * second.
 */
const DEFAULT_COUNTS: Readonly<Record<string, number>> = { 'one run': 20, 'two runs': 10 };
/** The number of failed programs to reduce and show. */
const SHOWN = Number(process.env.TIP_SHOWN ?? 1);
const SHRINKING_MS = 20_000;
const SEEDS_OF_A_RUN = 1_000_000;
const MS_PER_PROGRAM = 2_000;
const BASE_TIMEOUT_MS = 300_000;

const programCount = ({ name, share }: Mode) =>
  PROGRAMS === undefined ? (DEFAULT_COUNTS[name] ?? 0) : Math.ceil(PROGRAMS * share);

test('names only existing modes', () => {
  const names = MODES.map(({ name }) => name);
  for (const name of Object.keys(DEFAULT_COUNTS)) expect(names).toContain(name);
});

describe('values of random programs at the tip', () => {
  beforeAll(() => {
    // The VM prints runtime errors, which are expected here.
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  test.each(MODES.map((mode, at) => ({ ...mode, at })).filter((mode) => programCount(mode) > 0))(
    `serves right values or a reason: $name, TIP_SEED=${SEED}`,
    async (mode) => {
      const firstSeed = (SEED * MODES.length + mode.at) * SEEDS_OF_A_RUN;
      const { counts, wrong } = await runCampaign(mode, firstSeed, programCount(mode));
      // Prints the counts after each mode, since a long campaign may be stopped early.
      if (PROGRAMS !== undefined) process.stdout.write(`${mode.name}: ${JSON.stringify(counts)}\n`);
      const shown: string[] = [];
      for (const failure of wrong.slice(0, SHOWN)) shown.push(await explain(failure, SHRINKING_MS));
      const more = wrong.slice(SHOWN).map(summarize);
      expect(wrong.length, [...shown, more.join('\n')].join('\n\n')).toBe(0);
    },
    BASE_TIMEOUT_MS + MS_PER_PROGRAM * (PROGRAMS ?? 0),
  );
});
