// Kills a run of a scenario, once or several times in a row, lets the next run end, and says everything that is not as
// it must be.
import { join } from 'node:path';
import { Random } from '../../support/random.ts';
import { runWarm } from '../../support/run-warm.ts';
import { describeOperation } from './operation-log.ts';
import { checkFinished, checkInterrupted, missingInChanges, reset, type Scenario } from './scenario.ts';
import { SiteReader } from './site-reader.ts';
import { type KillPoint, runPlain, runWatched } from './watched-run.ts';

export interface Recovery {
  /** In place of which operations it was killed. */
  readonly killed: readonly string[];
  readonly problems: readonly string[];
  /** Changed paths that the list of changes of the last run does not have. */
  readonly notListed: readonly string[];
  /** How many files a reader read meanwhile. */
  readonly reads: number;
}

export interface RecoveryOptions {
  /** Of what the reader reads. */
  readonly seed: number;
  /** Whether the run after the kills is one in this process, which is quicker. */
  readonly inProcess: boolean;
}

export async function killAndRecover(
  library: string,
  scenario: Scenario,
  kills: readonly KillPoint[],
  { seed, inProcess }: RecoveryOptions,
): Promise<Recovery> {
  const { args, work } = scenario;
  reset(scenario);
  const killed: string[] = [];
  const problems: string[] = [];
  const reader = new SiteReader(join(work, 'dist'), scenario.site);
  reader.start(new Random(seed));
  for (const kill of kills) {
    const run = await runWatched(library, args, { cwd: work, kill });
    const last = run.operations.at(-1);
    if (run.killed && last !== undefined)
      killed.push(
        `operation ${last.number} of ${scenario.operations.length}: ` +
          `${describeOperation(last)}${kill.half ? ' (half)' : ''}`,
      );
    else if (run.status !== 0) problems.push(`a run after a kill ended with ${run.status}: ${run.stderr}`);
    problems.push(...checkInterrupted(scenario, 'kill').map((text) => `after kill ${killed.length}: ${text}`));
  }
  const { status, stderr } = await (inProcess ? runWarm(args, { cwd: work }) : runPlain(args, work));
  await reader.stop();
  if (status !== 0) problems.push(`the run after the kill ended with ${status}: ${stderr}`);
  problems.push(...reader.problems, ...checkFinished(scenario));
  return { killed, problems, notListed: missingInChanges(scenario), reads: reader.reads };
}

/** What a failure says: enough to do it again. */
export function explainRecovery(scenario: Scenario, { killed, problems }: Recovery, seed: number): string {
  return [`${scenario.name}, CRASH_SEED=${seed}, killed at ${killed.join(', then at ')}`, ...problems].join('\n  ');
}
