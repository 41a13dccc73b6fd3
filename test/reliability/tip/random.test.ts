// Random programs, run in the Clarity VM as the truth, indexed as archives, and compared: each value at the tip is
// right, or its status says why it may not be.
//
//   TIP_PROGRAMS=2000    so many, in all ways in which a chain comes to an index
//   TIP_SEED=7           others
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { explain, runCampaign, summarize } from './campaign.ts';
import { MODES, type Mode } from './modes.ts';

const SEED = Number(process.env.TIP_SEED ?? 1);
const PROGRAMS = process.env.TIP_PROGRAMS === undefined ? undefined : Number(process.env.TIP_PROGRAMS);
/** Without TIP_PROGRAMS, in the first modes alone: each costs a second. */
const FEW: Readonly<Record<string, number>> = { 'program run': 20, 'two runs': 10 };
/** Of those that fail, so many are made small and shown. */
const SHOWN = Number(process.env.TIP_SHOWN ?? 1);
const SHRINKING_MS = 20_000;
const SEEDS_OF_A_RUN = 1_000_000;
const MS_PER_PROGRAM = 2_000;
const PATIENCE_MS = 300_000;

const countOf = ({ name, share }: Mode) => (PROGRAMS === undefined ? (FEW[name] ?? 0) : Math.ceil(PROGRAMS * share));

describe('values at the tip of random programs', () => {
  beforeAll(() => {
    // The VM prints what fails at run time.
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  test.each(MODES.map((mode, at) => ({ ...mode, at })).filter((mode) => countOf(mode) > 0))(
    `behavior: $name, TIP_SEED=${SEED}`,
    async (mode) => {
      const firstSeed = (SEED * MODES.length + mode.at) * SEEDS_OF_A_RUN;
      const { counts, wrong } = await runCampaign(mode, firstSeed, countOf(mode));
      // At once: a long campaign may be stopped.
      if (PROGRAMS !== undefined) process.stdout.write(`${mode.name}: ${JSON.stringify(counts)}\n`);
      const shown: string[] = [];
      for (const failure of wrong.slice(0, SHOWN)) shown.push(await explain(failure, SHRINKING_MS));
      const more = wrong.slice(SHOWN).map(summarize);
      expect(wrong.length, [...shown, more.join('\n')].join('\n\n')).toBe(0);
    },
    PATIENCE_MS + MS_PER_PROGRAM * (PROGRAMS ?? 0),
  );
});
