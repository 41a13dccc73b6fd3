// Runs programs, one behind the other or interleaved, on one chain; indexes what happened as an archive, and judges
// every value that is served then.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '#store/index-database.ts';
import type { Network } from './encode-transaction.ts';
import { type Judged, judge } from './judge-values.ts';
import { type NodeResponses, readNode, storeResults } from './node-results.ts';
import type { Program, Step } from './program.ts';
import { indexChain, type RunOptions, type ServedSite } from './served-site.ts';
import { CannotRun, SimnetChain } from './simnet-chain.ts';
import { readTruths } from './truths.ts';

interface WorldOptions {
  readonly network?: Network;
  /** In which the chain begins. */
  readonly epoch?: string;
  readonly runs?: readonly RunOptions[];
  /** In which run the last blocks arrive. */
  readonly last?: number;
  /** A node is asked when it has what arrives first; the answers come behind the first run. */
  readonly hasNode?: boolean;
}

export interface World {
  readonly judged: readonly Judged[];
  readonly site: ServedSite;
}

/** Behind the last step, so that no fork is the longest branch. */
const LAST_BLOCKS = 12;

/** A program that cannot be run is left out. */
export async function runWorld(programs: readonly Program[], options: WorldOptions = {}): Promise<World> {
  const chain = await SimnetChain.open(options.network, options.epoch);
  let responses: NodeResponses | undefined;
  for (const { program, step, stage } of byStages(programs)) {
    if (options.hasNode === true && stage > 0) responses ??= readNode(chain, programs);
    try {
      chain.run(program.name, step);
    } catch (error) {
      if (!(error instanceof CannotRun)) throw error;
      return runWorld(
        programs.filter((other) => other !== program),
        options,
      );
    }
  }
  chain.mine({ mine: 'stacks', count: LAST_BLOCKS }, options.last);
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

/** The runs in which the steps of a program arrive, a change a stage. */
export function stagesOf({ steps }: Program): Step[][] {
  const stages: Step[][] = [];
  for (const step of steps) {
    const stage = stages.at(-1);
    if (stage === undefined || (stage[0]?.run ?? 0) !== (step.run ?? 0)) stages.push([step]);
    else stage.push(step);
  }
  return stages;
}

/** One behind the other, but what arrives in one run first, so that what is missing does not part it from the rest. */
function* byStages(programs: readonly Program[]) {
  const all = programs.map((program) => ({ program, stages: stagesOf(program) }));
  const stageCount = Math.max(0, ...all.map(({ stages }) => stages.length));
  for (let at = 0; at < stageCount; at++)
    for (const { program, stages } of all) for (const step of stages[at] ?? []) yield { program, step, stage: at };
}

/** Ids of the contracts whose deploys the archive has. */
function deployedIn(chain: SimnetChain): Set<string> {
  return new Set(chain.blocks.flatMap(({ run, contracts }) => (run === 'never' ? [] : contracts)));
}
