// Kills the real command in place of named steps and of random operations; each time the next run must end as one that
// was never killed. What a kill at each of the other steps leaves, power-cuts.ts makes from the log of a run.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { type RecordedWorld, SCENARIOS, type ScenarioName } from './crash-world.ts';
import { explainRecovery, killAndRecover } from './kill-and-recover.ts';
import { makeLargeArchive } from './make-chain.ts';
import { findStep, NAMED_STEPS } from './named-steps.ts';
import { describeOperation, type Operation } from './operation-log.ts';
import { makeScenario, reset, type Scenario } from './scenario.ts';
import { type KillPoint, runPlain } from './watched-run.ts';

const SEED = Number(process.env.CRASH_SEED ?? 1);
/** The other half is for power cuts. */
const SOAK_MS = Number(process.env.SOAK_SECONDS ?? 0) * 500;
const isSoak = SOAK_MS > 0;
/** Of scenarios, each of its own: power-cuts.ts makes all others from the logs of runs. */
const RANDOM_KILLS = isSoak ? SCENARIOS.length : 3;
const START = Date.now();
const TIMEOUT_MS = 240_000 + SOAK_MS;

/** At random, and up to three times in a row; a later run may be shorter than the number, and then ends. */
function randomKills(scenario: Scenario, seed: number, share = 1): KillPoint[] {
  const random = new Random(seed);
  const times = random.chance(0.4) ? 1 : random.within(2, 3);
  const most = Math.ceil(share * scenario.operations.length);
  return Array.from({ length: times }, () => ({ at: random.within(1, most), half: random.chance(0.5) }));
}

export function testKills(recorded: () => RecordedWorld): void {
  const scenarioFor = (name: ScenarioName) => recorded().scenarios[name];

  /** Every failure, in words. */
  async function recover(scenario: Scenario, kills: readonly KillPoint[], seed: number, name = ''): Promise<string[]> {
    const recovery = await killAndRecover(recorded().library, scenario, kills, { seed, inProcess: !isSoak });
    if (recovery.killed.length === 0) return [`${scenario.name}, ${name}: the run was not killed, CRASH_SEED=${seed}`];
    return recovery.problems.length === 0 ? [] : [`${name}: ${explainRecovery(scenario, recovery, seed)}`];
  }

  test.concurrent.each(SCENARIOS)('behavior: %s, at named steps', { timeout: TIMEOUT_MS }, async (name) => {
    const scenario = scenarioFor(name);
    const problems: string[] = [];
    const own = NAMED_STEPS.filter((step) => step.in === name);
    for (const step of NAMED_STEPS) {
      if (step.in !== name && Date.now() >= START + SOAK_MS / 2) continue;
      const kill = findStep(scenario.operations, step);
      if (!isSoak && kill !== undefined && step !== own[own.length >> 1]) continue;
      if (kill !== undefined) problems.push(...(await recover(scenario, [kill], SEED, step.name)));
      else if (step.in === name) problems.push(`${name} has no step: ${step.name}`);
    }
    expect(problems.join('\n')).toBe('');
  });

  test('behavior: what is served gets its files by renaming alone', () => {
    const isWritten = ({ kind, path }: Operation) =>
      /^(create|truncate|write|link)$/.test(kind) && /^dist\/(?!\.stxpress\/)/.test(path);
    for (const { operations } of Object.values(recorded().scenarios))
      expect(operations.filter(isWritten).map(describeOperation)).toEqual([]);
  });

  test('behavior: in place of random operations, up to three times in a row', { timeout: TIMEOUT_MS }, async () => {
    let seed = SEED;
    do {
      const scenario = scenarioFor(SCENARIOS[seed % SCENARIOS.length] as ScenarioName);
      expect(await recover(scenario, randomKills(scenario, seed), seed)).toEqual([]);
      seed++;
    } while (Date.now() < START + SOAK_MS || seed < SEED + RANDOM_KILLS);
  });

  test('behavior: while threads parse a large archive', { timeout: TIMEOUT_MS }, async () => {
    const { library, root, empty } = recorded();
    const args = ['index', '--archive', makeLargeArchive(root), '--offline', '--no-vm'];
    const scenario = await makeScenario(library, root, 'large archive', empty, args);
    const batches = ['first', 'middle', 'last'] as const;
    for (const which of batches.slice(0, isSoak ? 3 : 1)) {
      const step = { name: '', in: 'index', which, pattern: /^write .*sqlite-wal$/, behind: /holder$/ } as const;
      expect(await recover(scenario, [findStep(scenario.operations, step) as KillPoint], SEED, which)).toEqual([]);
    }
  });

  const testIfSoak = isSoak ? test : () => {};
  testIfSoak('behavior: while the VM evaluates tokens', { timeout: TIMEOUT_MS }, async () => {
    const { library, root, empty } = recorded();
    const before = join(root, 'queued');
    reset({ before: empty, work: before });
    await runPlain(scenarioFor('index').args, before);
    const scenario = await makeScenario(library, root, 'evaluation', before, ['index', '--offline'], {
      revisions: false,
    });
    // Threads do not share their work alike each time, so a run may have fewer operations than the one that was
    // counted.
    for (let seed = SEED; seed < SEED + 5; seed++)
      expect(await recover(scenario, randomKills(scenario, seed, 0.8), seed)).toEqual([]);
  });

  test('behavior: the list of changes has what the killed build had decided', async () => {
    const scenario = scenarioFor('changed build');
    const step = NAMED_STEPS.find(({ name }) => name === 'a rename into place') as (typeof NAMED_STEPS)[number];
    const kill = findStep(scenario.operations, step) as KillPoint;
    const recovery = await killAndRecover(recorded().library, scenario, [kill], { seed: SEED, inProcess: !isSoak });
    expect(recovery.killed).toHaveLength(1);
    expect(recovery.notListed).toEqual([]);
  });
}
