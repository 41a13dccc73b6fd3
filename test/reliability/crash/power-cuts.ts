// Simulates power cuts and kills of a recorded run with a model of the disk, at syncs and random operations. The next
// run must end like a run without interruptions.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { IS_SOAK, type RecordedWorld, SCENARIOS, type ScenarioName, SEED, SOAK_MS, TIMEOUT_MS } from './crash-world.ts';
import { cutPower } from './cut-power.ts';
import { findOperation, NAMED_STEPS, type NamedStep } from './named-steps.ts';
import { describeOperation, type Operation } from './operation-log.ts';
import { checkInterrupted, finish, missingInChanges, type Scenario } from './scenario.ts';
import { treeDifferences, treeOf } from './site-state.ts';

const RANDOM_CUTS = 1;
/** The number of power cuts during the scenario that copies images. These tests do not run the command again. */
const CUTS_OF_IMAGES = IS_SOAK ? 80 : 30;

export function testPowerCuts(recorded: () => RecordedWorld): void {
  const scenarioFor = (name: ScenarioName) => recorded().scenarios[name];

  /** Returns the number of a random operation, in half of the cases near a sync. */
  function randomCut({ operations }: Scenario, seed: number): number {
    const random = new Random(seed);
    const syncs = operations.filter(({ kind }) => kind === 'syncfs' || kind === 'fsync');
    if (random.chance(0.5)) return random.within(1, operations.length);
    return Math.min(operations.length, Math.max(1, random.pick(syncs).number + random.within(-1, 8)));
  }

  function cutAndRecover(scenario: Scenario, at: number, seed: number): Promise<string[]> {
    const { before, work, operations } = scenario;
    cutPower({ before, operations, at, random: new Random(seed + 1_000_003) }, work);
    return recover(scenario, 'power cut', at, seed);
  }

  /** Simulates a kill before an operation, or in the middle of a write. No data of earlier operations is lost. */
  function killAndRecover(scenario: Scenario, operation: Operation, half: boolean, seed: number): Promise<string[]> {
    const { before, work } = scenario;
    const operations = scenario.operations.slice(0, operation.number - 1);
    const { data } = operation;
    if (half) operations.push({ ...operation, data: data.subarray(0, data.length >> 1) });
    cutPower({ before, operations, at: operations.length, random: undefined }, work);
    return recover(scenario, 'kill', operation.number, seed);
  }

  async function recover(scenario: Scenario, by: 'kill' | 'power cut', at: number, seed: number): Promise<string[]> {
    const problems = [...checkInterrupted(scenario, by), ...(await finish(scenario, IS_SOAK && seed % 10 === 0))];
    if (problems.length === 0) return [];
    const { name, operations } = scenario;
    const [last] = operations.slice(at - 1, at).map(describeOperation);
    const where = `${name}, CRASH_SEED=${seed}, ${by} at operation ${at} of ${operations.length}: ${last}`;
    return [[where, ...problems].join('\n  ')];
  }

  test('logs all changes of a run', () => {
    const { root } = recorded();
    for (const name of SCENARIOS) {
      const { before, operations, left } = scenarioFor(name);
      const folder = join(root, 'replayed', name);
      cutPower({ before, operations, at: operations.length, random: undefined }, folder);
      expect(treeDifferences(treeOf(folder), left), name).toEqual([]);
    }
  });

  test('writes the files of an image to disk before its row', () => {
    const scenario = scenarioFor('images');
    const { before, work, operations } = scenario;
    const last = operations.findLast(({ kind, to }) => kind === 'rename' && to.startsWith('data/images/'))?.number ?? 0;
    for (let seed = SEED; seed < SEED + CUTS_OF_IMAGES; seed++) {
      const random = new Random(seed);
      cutPower({ before, operations, at: Math.min(operations.length, last + random.within(1, 30)), random }, work);
      expect(checkInterrupted(scenario, 'power cut'), `CRASH_SEED=${seed}`).toEqual([]);
    }
  });

  test.each(SCENARIOS)('recovers %s from interruptions at every named step', { timeout: TIMEOUT_MS }, async (name) => {
    const scenario = scenarioFor(name);
    const problems: string[] = [];
    for (const [index, step] of NAMED_STEPS.entries()) {
      if (!IS_SOAK && step.in !== name) continue;
      const operation = findOperation(scenario.operations, step);
      if (operation === undefined) {
        if (step.in === name) problems.push(`the run lacks the step: ${step.name}`);
        continue;
      }
      problems.push(...(await cutAndRecover(scenario, operation.number, SEED + index)));
      // The short test simulates kills at only half of the steps, since a kill is similar to a power cut.
      if (IS_SOAK || index % 2 === SEED % 2)
        problems.push(...(await killAndRecover(scenario, operation, step.half === true, SEED + index)));
    }
    expect(problems.join('\n')).toBe('');
  });

  test('keeps the changes of a killed build in the list of changes', async () => {
    const scenario = scenarioFor('changed build');
    const step = NAMED_STEPS.find(
      (named) => named.name === 'a move to the output folder' && named.in === scenario.name,
    ) as NamedStep;
    const operation = findOperation(scenario.operations, step) as Operation;
    expect(await killAndRecover(scenario, operation, false, SEED)).toEqual([]);
    expect(missingInChanges(scenario)).toEqual([]);
  });

  test.each(SCENARIOS)('recovers %s from power cuts at random operations', { timeout: TIMEOUT_MS }, async (name) => {
    const scenario = scenarioFor(name);
    const end = Date.now() + SOAK_MS / SCENARIOS.length;
    for (let seed = SEED; seed < SEED + RANDOM_CUTS || Date.now() < end; seed++)
      expect((await cutAndRecover(scenario, randomCut(scenario, seed), seed)).join('\n')).toBe('');
  });
}
