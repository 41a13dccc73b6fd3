// Runs programs on one chain, mixing their steps, indexes the blocks as archives, and judges every served value.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '#store/index-database.ts';
import type { Network } from './accounts.ts';
import { type Judged, judge } from './judge-values.ts';
import { type NodeResponses, readNode, storeResults } from './node-results.ts';
import type { Program, Step } from './program.ts';
import { indexChain, type RunOptions, type ServedSite } from './served-site.ts';
import { CannotRun, SimnetChain } from './simnet-chain.ts';
import { readTruths } from './truths.ts';

interface WorldOptions {
  readonly network?: Network;
  /** The epoch in which the chain starts. */
  readonly epoch?: string;
  readonly runs?: readonly RunOptions[];
  /** The index run in which the last blocks of the chain arrive. */
  readonly last?: number;
  /**
   * True to read a node's values after the first stage of each program, and to store them after the first index run.
   */
  readonly hasNode?: boolean;
}

interface RunPrograms {
  readonly chain: SimnetChain;
  readonly programs: readonly Program[];
  /** The responses of a node after the first stage, if the world has a node. */
  readonly responses: NodeResponses | undefined;
}

export interface World {
  readonly judged: readonly Judged[];
  readonly site: ServedSite;
}

/** The number of blocks to mine after the last step, so that the canonical chain is longer than every fork. */
const LAST_BLOCKS = 12;

/** Runs programs on a new chain. Omits programs that the simnet cannot run. */
export async function runPrograms(programs: readonly Program[], options: WorldOptions = {}): Promise<RunPrograms> {
  const chain = await SimnetChain.open(options.network, options.epoch);
  let responses: NodeResponses | undefined;
  for (const { program, step, stage } of byStages(programs)) {
    if (options.hasNode === true && stage > 0) responses ??= readNode(chain, programs);
    try {
      chain.run(program.name, step);
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      return runPrograms(
        programs.filter((other) => other !== program),
        options,
      );
    }
  }
  chain.mine({ mine: 'stacks', count: LAST_BLOCKS }, options.last);
  return { chain, programs, responses };
}

/** Runs programs and judges their values. */
export async function runWorld(all: readonly Program[], options: WorldOptions = {}): Promise<World> {
  const { chain, programs, responses } = await runPrograms(all, options);
  const values = readTruths(chain, programs, deployedIn(chain));
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-tip-'));
  try {
    const storeResponses = async (store: Store, run: number) => {
      if (run === 0 && responses !== undefined) await storeResults(store, responses);
    };
    const site = await indexChain(chain, folder, options.runs, storeResponses);
    return { judged: judge(values, site.files), site };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Splits the steps of a program into stages. Consecutive steps that arrive in the same index run are a stage. */
export function stagesOf({ steps }: Program): Step[][] {
  const stages: Step[][] = [];
  for (const step of steps) {
    const stage = stages.at(-1);
    if (stage === undefined || (stage[0]?.run ?? 0) !== (step.run ?? 0)) stages.push([step]);
    else stage.push(step);
  }
  return stages;
}

/** Yields all first stages, then all second stages, and so on, so that one program's gap does not separate others. */
function* byStages(programs: readonly Program[]) {
  const all = programs.map((program) => ({ program, stages: stagesOf(program) }));
  const stageCount = Math.max(0, ...all.map(({ stages }) => stages.length));
  for (let at = 0; at < stageCount; at++)
    for (const { program, stages } of all) for (const step of stages[at] ?? []) yield { program, step, stage: at };
}

/** Returns the ids of the contracts whose deploys are in the archive. */
function deployedIn(chain: SimnetChain): Set<string> {
  return new Set(chain.blocks.flatMap(({ run, contracts }) => (run === 'never' ? [] : contracts)));
}
