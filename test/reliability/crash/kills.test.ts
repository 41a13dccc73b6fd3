// Kills the real command in place of named steps and of random operations; each time the next run must end as one that
// was never killed. What a kill at each of the other steps leaves, power-cuts.test.ts makes from the log of a run.
//
// SOAK_SECONDS kills at every step in every scenario, for half of so long, and goes on with random points to its end;
// CRASH_SEED begins with the seed of a failure.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { type CrashWorld, makeCrashWorld, SCENARIOS, type ScenarioName, scenarioOf } from './crash-world.ts';
import { explainRecovery, killAndRecover } from './kill-and-recover.ts';
import { makeLargeArchive } from './make-chain.ts';
import { memoryFolder } from './memory-folder.ts';
import { findStep, NAMED_STEPS } from './named-steps.ts';
import { describeOperation, type Operation } from './operation-log.ts';
import { makeScenario, reset, type Scenario } from './scenario.ts';
import { type KillPoint, runPlain, whyNoWatchedRuns } from './watched-run.ts';

const SEED = Number(process.env.CRASH_SEED ?? 1);
const SOAK_MS = Number(process.env.SOAK_SECONDS ?? 0) * 1000;
const isSoak = SOAK_MS > 0;
const START = Date.now();
const TIMEOUT_MS = 240_000 + SOAK_MS;
const reason = whyNoWatchedRuns();
const root = memoryFolder();

/** At random, and up to three times in a row; a later run may be shorter than the number, and then ends. */
function randomKills(scenario: Scenario, seed: number, share = 1): KillPoint[] {
  const random = new Random(seed);
  const times = random.chance(0.4) ? 1 : random.within(2, 3);
  const most = Math.ceil(share * scenario.operations.length);
  return Array.from({ length: times }, () => ({ at: random.within(1, most), half: random.chance(0.5) }));
}

describe.skipIf(reason !== undefined)(`killed${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
  let world: CrashWorld;
  const scenarios = new Map<ScenarioName, Scenario>();
  const scenarioFor = (name: ScenarioName) => scenarios.get(name) as Scenario;

  beforeAll(async () => {
    world = await makeCrashWorld(root);
    for (const name of SCENARIOS) scenarios.set(name, await scenarioOf(world, name));
  });

  /** Every failure, in words. */
  async function recover(scenario: Scenario, kills: readonly KillPoint[], seed: number, name = ''): Promise<string[]> {
    const recovery = await killAndRecover(world.library, scenario, kills, { seed, inProcess: !isSoak });
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
    for (const { operations } of scenarios.values())
      expect(operations.filter(isWritten).map(describeOperation)).toEqual([]);
  });

  test('behavior: in place of random operations, up to three times in a row', { timeout: TIMEOUT_MS }, async () => {
    let seed = SEED;
    do {
      const scenario = scenarioFor(SCENARIOS[seed % SCENARIOS.length] as ScenarioName);
      expect(await recover(scenario, randomKills(scenario, seed), seed)).toEqual([]);
      seed++;
    } while (Date.now() < START + SOAK_MS || seed < SEED + SCENARIOS.length);
  });

  test('behavior: while threads parse a large archive', { timeout: TIMEOUT_MS }, async () => {
    const args = ['index', '--archive', makeLargeArchive(root), '--offline', '--no-vm'];
    const scenario = await makeScenario(world.library, root, 'large archive', world.empty, args);
    const batches = ['first', 'middle', 'last'] as const;
    for (const which of batches.slice(0, isSoak ? 3 : 1)) {
      const step = { name: '', in: 'index', which, pattern: /^write .*sqlite-wal$/, behind: /holder$/ } as const;
      expect(await recover(scenario, [findStep(scenario.operations, step) as KillPoint], SEED, which)).toEqual([]);
    }
  });

  test.runIf(isSoak)('behavior: while the VM evaluates tokens', { timeout: TIMEOUT_MS }, async () => {
    reset({ before: world.empty, work: join(root, 'queued') });
    const before = join(root, 'queued');
    await runPlain(scenarioFor('index').args, before);
    const scenario = await makeScenario(world.library, root, 'evaluation', before, ['index', '--offline'], {
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
    const recovery = await killAndRecover(world.library, scenario, [kill], { seed: SEED, inProcess: !isSoak });
    expect(recovery.notListed).toEqual([]);
  });
});
