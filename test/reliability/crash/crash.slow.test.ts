// Simulates power cuts of a recorded run with a model of the disk, at named steps and random operations. The served
// files must be intact at every moment, and the next run must end like a run without interruptions.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { limitOf, rounds, SEED } from '../../support/soak.ts';
import { tempFolderForFile } from '../../support/temp-folder.ts';
import { makeCrashWorld, recordScenarios, SCENARIOS, type ScenarioName } from './crash-world.ts';
import { cutPower } from './cut-power.ts';
import { findOperation, NAMED_STEPS } from './named-steps.ts';
import { describeOperation } from './operation-log.ts';
import { checkInterrupted, finish, type Scenario } from './scenario.ts';
import { checkOperations, treeDifferences, treeOf } from './site-state.ts';
import { reasonForNoWatchedRuns } from './watched-run.ts';

const reason = reasonForNoWatchedRuns();
const root = tempFolderForFile();
let scenarios: Readonly<Record<ScenarioName, Scenario>>;

/** Returns the number of a random operation, in half of the cases near a sync. */
function randomCut({ operations }: Scenario, seed: number): number {
  const random = new Random(seed);
  const syncs = operations.filter(({ kind }) => kind === 'syncfs' || kind === 'fsync');
  if (random.chance(0.5)) return random.within(1, operations.length);
  return Math.min(operations.length, Math.max(1, random.pick(syncs).number + random.within(-1, 8)));
}

async function cutAndRecover(scenario: Scenario, at: number, seed: number): Promise<string[]> {
  const { name, before, work, operations } = scenario;
  cutPower({ before, operations, at, random: new Random(seed + 1_000_003) }, work);
  const problems = [...checkInterrupted(scenario), ...(await finish(scenario))];
  if (problems.length === 0) return [];
  const [last] = operations.slice(at - 1, at).map(describeOperation);
  return [[`${name}, SEED=${seed}, cut at operation ${at} of ${operations.length}: ${last}`, ...problems].join('\n  ')];
}

describe.skipIf(reason !== undefined)(`crash${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
  beforeAll(async () => {
    scenarios = await recordScenarios(await makeCrashWorld(root));
  }, limitOf(20));

  test('logs all changes of a run', () => {
    for (const { name, before, operations, left } of Object.values(scenarios)) {
      const folder = join(root, 'replayed', name);
      cutPower({ before, operations, at: operations.length, random: undefined }, folder);
      expect(treeDifferences(treeOf(folder), left), name).toEqual([]);
    }
  });

  test('keeps each file in its old or new version for readers during a build', () => {
    for (const { operations } of Object.values(scenarios)) expect(checkOperations(operations)).toEqual([]);
  });

  test('writes the files of an image to disk before its row', { timeout: limitOf(5) }, () => {
    const scenario = scenarios.images;
    const { before, work, operations } = scenario;
    const last = operations.findLast(({ kind, to }) => kind === 'rename' && to.startsWith('data/images/'))?.number ?? 0;
    for (const seed of rounds(30)) {
      const random = new Random(seed);
      cutPower({ before, operations, at: Math.min(operations.length, last + random.within(1, 30)), random }, work);
      expect(checkInterrupted(scenario), `SEED=${seed}`).toEqual([]);
    }
  });

  test.each(SCENARIOS)('recovers %s from power cuts at every named step', { timeout: limitOf(12) }, async (name) => {
    const scenario = scenarios[name];
    const problems: string[] = [];
    for (const [index, step] of NAMED_STEPS[name].entries()) {
      const operation = findOperation(scenario.operations, step);
      if (operation === undefined) {
        problems.push(`the run lacks the step: ${step[0]}`);
        continue;
      }
      problems.push(...(await cutAndRecover(scenario, operation.number, SEED + index)));
    }
    expect(problems.join('\n')).toBe('');
  });

  test.each(SCENARIOS)('recovers %s from power cuts at random operations', { timeout: limitOf(3) }, async (name) => {
    for (const seed of rounds(1))
      expect((await cutAndRecover(scenarios[name], randomCut(scenarios[name], seed), seed)).join('\n')).toBe('');
  });
});
