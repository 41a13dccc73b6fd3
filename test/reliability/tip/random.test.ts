// Random programs, run in the Clarity VM as the truth, indexed as archives, and compared: each value at the tip is
// right, or its status says why it may not be.
//
//   TIP_PROGRAMS=2000    so many, in all ways in which a chain comes to an index
//   TIP_SEED=7           others
//   TIP_FEATURES=height,stx   with these alone; `each`: a campaign for each feature alone
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Campaign, explain, runCampaign, summaryOf } from './campaign.ts';
import { FEATURES, type Feature } from './generate/features.ts';
import { MODES, type Mode } from './modes.ts';

const SEED = Number(process.env.TIP_SEED ?? 1);
const PROGRAMS = process.env.TIP_PROGRAMS === undefined ? undefined : Number(process.env.TIP_PROGRAMS);
/** Without TIP_PROGRAMS, in the first modes alone: each costs a second. */
const FEW: Readonly<Record<string, number>> = { 'one run': 20, 'two runs': 10 };
/** Of those that fail, so many are made small and shown. */
const SHOWN = Number(process.env.TIP_SHOWN ?? 1);
const SHRINKING_MS = 20_000;
const SEEDS_OF_A_RUN = 1_000_000;
const MS_PER_PROGRAM = 2_000;
const PATIENCE_MS = 300_000;

const chosen = process.env.TIP_FEATURES;
const allowed: readonly Feature[] =
  chosen === undefined || chosen === 'each' ? FEATURES : FEATURES.filter((one) => chosen.split(',').includes(one));
const sets: readonly (readonly Feature[])[] = chosen === 'each' ? FEATURES.map((one) => [one]) : [allowed];

const countOf = ({ name, share }: Mode) =>
  PROGRAMS === undefined ? (FEW[name] ?? 0) : Math.ceil((PROGRAMS * share) / sets.length);
const campaigns: (readonly [string, Campaign])[] = [];

describe('values at the tip of random programs', () => {
  beforeAll(() => {
    // The VM prints what fails at run time.
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterAll(() => {
    vi.restoreAllMocks();
    if (PROGRAMS !== undefined)
      for (const [name, { counts }] of campaigns) process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`);
  });

  const runs = MODES.flatMap((mode, at) => sets.map((features) => ({ mode, at, features }))).filter(
    ({ mode }) => countOf(mode) > 0,
  );
  test.each(runs.map((run) => ({ ...run, name: nameOf(run.mode, run.features) })))(
    `behavior: $name, TIP_SEED=${SEED}`,
    async ({ mode, at, features, name }) => {
      const seed = (SEED * MODES.length + at) * SEEDS_OF_A_RUN;
      const campaign = await runCampaign(mode, { seed, programs: countOf(mode), allowed: features });
      campaigns.push([name, campaign]);
      const { wrong } = campaign;
      const shown: string[] = [];
      for (const one of wrong.slice(0, SHOWN)) shown.push(await explain(one, SHRINKING_MS));
      const more = wrong.slice(SHOWN).map(summaryOf);
      expect(wrong.length, [...shown, more.join('\n')].join('\n\n')).toBe(0);
    },
    PATIENCE_MS + MS_PER_PROGRAM * (PROGRAMS ?? 0),
  );
});

function nameOf({ name }: Mode, features: readonly Feature[]): string {
  return sets.length > 1 ? `${name}, ${features.join(' ')}` : name;
}
