// Kills the real command at random operations, up to three times in a row. The next run must end like a run without
// kills. power-cuts.ts simulates kills at each named step.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { IS_SOAK, type RecordedWorld, SCENARIOS, SEED, SOAK_MS, TIMEOUT_MS } from './crash-world.ts';
import { makeLargeArchive } from './make-chain.ts';
import { findStep } from './named-steps.ts';
import { describeOperation } from './operation-log.ts';
import { checkInterrupted, finish, makeScenario, reset, type Scenario } from './scenario.ts';
import { checkOperations } from './site-state.ts';
import { type KillPoint, runPlain, runWatched } from './watched-run.ts';

const START = Date.now();

/**
 * Returns up to three random kill points for consecutive runs. A run with fewer operations than its kill point ends
 * normally.
 */
function randomKills(scenario: Scenario, seed: number, share = 1): KillPoint[] {
  const random = new Random(seed);
  const times = random.chance(0.4) ? 1 : random.within(2, 3);
  const last = Math.ceil(share * scenario.operations.length);
  return Array.from({ length: times }, () => ({ at: random.within(1, last), half: random.chance(0.5) }));
}

/**
 * Kills a run at each kill point, then runs the command to its end. Returns all problems, with the seed to repeat them.
 */
async function killAndRecover(scenario: Scenario, kills: readonly KillPoint[], seed: number): Promise<string[]> {
  const { library, name, args, work, operations } = scenario;
  reset(scenario);
  const killed: string[] = [];
  const problems: string[] = [];
  for (const kill of kills) {
    const run = await runWatched(library, args, { cwd: work, kill });
    const last = run.operations.at(-1);
    const half = kill.half ? ' (half)' : '';
    if (run.killed && last !== undefined)
      killed.push(`operation ${last.number} of ${operations.length}: ${describeOperation(last)}${half}`);
    else if (run.status !== 0) problems.push(`a run after a kill ended with ${run.status}: ${run.stderr}`);
    const found = [...checkOperations(run.operations), ...checkInterrupted(scenario, 'kill')];
    problems.push(...found.map((text) => `after kill ${killed.length}: ${text}`));
  }
  if (killed.length === 0) problems.push('the run was not killed');
  problems.push(...(await finish(scenario, IS_SOAK)));
  return problems.map((text) => `${name}, CRASH_SEED=${seed}, killed at ${killed.join(', then at ')}: ${text}`);
}

export function testKills(recorded: () => RecordedWorld): void {
  test('keeps each file in its old or new version for readers during a build', () => {
    for (const { operations } of Object.values(recorded().scenarios)) expect(checkOperations(operations)).toEqual([]);
  });

  test.concurrent.each(SCENARIOS)(
    'recovers %s from kills at random operations',
    { timeout: TIMEOUT_MS },
    async (name) => {
      const scenario = recorded().scenarios[name];
      let seed = SEED + SCENARIOS.indexOf(name);
      do {
        expect(await killAndRecover(scenario, randomKills(scenario, seed), seed)).toEqual([]);
        seed += SCENARIOS.length;
      } while (Date.now() < START + SOAK_MS);
    },
  );

  test('recovers from kills while threads parse a large archive', { timeout: TIMEOUT_MS }, async () => {
    const world = recorded();
    const args = ['index', '--archive', makeLargeArchive(world.root), '--offline', '--no-vm'];
    const scenario = await makeScenario(world, 'large archive', world.empty, args);
    const batches = ['first', 'middle', 'last'] as const;
    for (const which of batches.slice(0, IS_SOAK ? 3 : 1)) {
      const step = { name: '', in: 'index', which, pattern: /^write .*sqlite-wal$/, after: /holder$/ } as const;
      const kill = findStep(scenario.operations, step) as KillPoint;
      expect(await killAndRecover(scenario, [kill], SEED), which).toEqual([]);
    }
  });

  const testIfSoak = IS_SOAK ? test : () => {};
  testIfSoak('recovers from kills while the VM evaluates tokens', { timeout: TIMEOUT_MS }, async () => {
    const world = recorded();
    const before = join(world.root, 'queued');
    reset({ before: world.empty, work: before });
    await runPlain(world.scenarios.index.args, before);
    const scenario = await makeScenario(world, 'evaluation', before, ['index', '--offline'], { revisions: false });
    // Threads divide their work differently in each run, so a run may have fewer operations than the recorded run.
    for (let seed = SEED; seed < SEED + 5; seed++)
      expect(await killAndRecover(scenario, randomKills(scenario, seed, 0.8), seed)).toEqual([]);
  });
}
