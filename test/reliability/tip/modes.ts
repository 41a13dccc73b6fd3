// Defines the ways in which blocks reach an index: in one run, in several runs, out of order, or only in part.
import type { Random } from '../../support/random.ts';
import type { Program, Step } from './program.ts';
import type { RunOptions } from './served-site.ts';

export interface Mode {
  readonly name: string;
  readonly runs: readonly RunOptions[];
  /**
   * The runs in which the first and the second part of each program arrive. By default, both parts arrive in the first
   * run.
   */
  readonly parts?: readonly [Step['run'], Step['run']];
  /** `any`: each step arrives in a random run. `forks`: steps arrive in order, but forks grow and may arrive later. */
  readonly spread?: 'any' | 'forks';
  /** The run in which the last blocks of the chain arrive. */
  readonly last?: number;
  /** True if a node returns the values that are current after the first part of each program. */
  readonly hasNode?: boolean;
  /** The epoch in which the chain starts. Programs change to later epochs. */
  readonly epoch?: string;
  /**
   * The number of programs on one chain. It is small for modes with forks, since a fork is only as long as its program.
   */
  readonly programs?: number;
}

export const MODES: readonly Mode[] = [
  { name: 'one run', runs: [{}] },
  { name: 'two runs', runs: [{}, {}], parts: [0, 1] },
  { name: 'second part first', runs: [{}, {}], parts: [1, 0] },
  { name: 'first part missing', runs: [{}], parts: ['never', 0] },
  { name: 'at most three calls', runs: [{ maxCalls: 3 }] },
  { name: 'evaluations pending', runs: [{}, { vm: false }], parts: [0, 1] },
  { name: 'epochs', runs: [{}], epoch: '2.05', programs: 7 },
  ...[
    { name: 'node', runs: [{}, {}] },
    { name: 'node before the first evaluation', runs: [{ vm: false }, {}] },
    { name: 'node, evaluations pending', runs: [{}, { vm: false }] },
    { name: 'lagging node', runs: [{}, {}], parts: [0, 0.5] as const },
  ].map((mode) => ({ parts: [0, 1] as const, ...mode, last: 1, hasNode: true })),
  {
    name: 'changing limits',
    spread: 'any',
    runs: [{ maxCalls: 2 }, { maxCalls: 1000 }, { maxCalls: 3 }],
    last: 2,
    programs: 3,
  },
  {
    name: 'changing limits, forks',
    spread: 'forks',
    runs: [{ maxCalls: 3 }, { maxCalls: 1000, vm: false }, { maxCalls: 1000 }],
    last: 2,
    programs: 3,
  },
  ...[
    { name: 'any order', spread: 'any' as const },
    { name: 'flips', spread: 'forks' as const },
  ].map((mode) => ({ ...mode, runs: [{}, {}, {}], last: 2, programs: 3 })),
];

const EPOCHS = ['2.1', '2.4', '2.5', '3.0', '3.2', '3.3', '3.4', '4.0'] as const;

/**
 * Sets the run in which each step of a program arrives. A mode with two parts splits the program at a random step. If
 * the first part never arrives, the split is usually before the first token.
 */
export function arrange(program: Program, { parts, spread, epoch }: Mode, random: Random): Program {
  if (epoch !== undefined) return { ...program, steps: program.steps.flatMap(enterEpochs(random)) };
  if (spread !== undefined)
    return { ...program, steps: program.steps.map(spread === 'any' ? anyRun(random) : inOrder(random)) };
  if (parts === undefined) return program;
  const firstToken = program.steps.findIndex((step) => 'deploy' in step && /^(?:tok|col)/.test(step.deploy));
  const latest = parts[0] === 'never' && random.chance(0.8) ? Math.max(0, firstToken) : program.steps.length;
  const cut = random.within(0, latest);
  return { ...program, steps: program.steps.map((step, at) => ({ ...step, run: parts[at < cut ? 0 : 1] ?? 0 })) };
}

function anyRun(random: Random): (step: Step) => Step {
  let run = 0;
  return (step) => {
    if (random.chance(0.4)) run = random.pick([0, 0, 0.5, 1, 1.5, 2, 2.5]);
    return { ...step, run };
  };
}

function inOrder(random: Random): (step: Step) => Step {
  let run = 0;
  return (step) => {
    if (run < 2 && random.chance(0.15)) run++;
    if (!('fork' in step)) return { ...step, run };
    const more = Array.from({ length: random.within(0, 8) }, () => []);
    return { ...step, fork: [...step.fork, ...more], run: random.within(run, 2) };
  };
}

/** Returns a function that inserts epoch changes before some steps, and makes some deploys use Clarity 1. */
function enterEpochs(random: Random): (step: Step) => Step[] {
  return (step) => {
    const ownVersion =
      'deploy' in step && (step.clarity ?? 0) > 1 && random.chance(0.4) ? { ...step, clarity: 1 } : step;
    return random.chance(0.04) ? [{ epoch: random.pick(EPOCHS) }, ownVersion] : [ownVersion];
  };
}
