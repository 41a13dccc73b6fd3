// Ways in which a chain comes to an index: at once, in several runs, in another order, in part.
import type { Random } from '../../support/random.ts';
import type { Program, Step } from './program.ts';
import type { RunOptions } from './served-site.ts';

export interface Mode {
  readonly name: string;
  readonly runs: readonly RunOptions[];
  /** In which run the first and the second part of each program arrive; without, all is in the first run. */
  readonly parts?: readonly [Step['run'], Step['run']];
  /** Or each step in any run; or in order, while orphans that outgrow the chain for some time come in any. */
  readonly spread?: 'any' | 'forks';
  /** In which run the last blocks arrive. */
  readonly last?: number;
  /** A node answers as of the first part. */
  readonly hasNode?: boolean;
  /** In which the chain begins; programs go on to later ones. */
  readonly epoch?: string;
  /** In a chain of its own so many, by default some dozens: forks are as long as programs, not as the chain. */
  readonly programs?: number;
  /** Of the programs of a campaign. */
  readonly share: number;
}

export const MODES: readonly Mode[] = [
  { name: 'one run', runs: [{}], share: 0.4 },
  { name: 'two runs', runs: [{}, {}], parts: [0, 1], share: 0.15 },
  { name: 'second part first', runs: [{}, {}], parts: [1, 0], share: 0.05 },
  { name: 'first part missing', runs: [{}], parts: ['never', 0], share: 0.1 },
  { name: 'three calls at most', runs: [{ maxCalls: 3 }], share: 0.05 },
  { name: 'evaluations pending', runs: [{}, { vm: false }], parts: [0, 1], share: 0.1 },
  { name: 'epochs', runs: [{}], epoch: '2.05', programs: 7, share: 0.2 },
  ...[
    { name: 'node', runs: [{}, {}] },
    { name: 'node before the first evaluation', runs: [{ vm: false }, {}] },
    { name: 'node, evaluations pending', runs: [{}, { vm: false }] },
    { name: 'node that lags', runs: [{}, {}], parts: [0, 0.5] as const },
  ].map((mode) => ({ parts: [0, 1] as const, ...mode, last: 1, hasNode: true, share: 0.1 })),
  {
    name: 'limits that change',
    spread: 'any',
    runs: [{ maxCalls: 2 }, { maxCalls: 1000 }, { maxCalls: 3 }],
    last: 2,
    programs: 3,
    share: 0.05,
  },
  {
    name: 'limits that change, forks',
    spread: 'forks',
    runs: [{ maxCalls: 3 }, { maxCalls: 1000, vm: false }, { maxCalls: 1000 }],
    last: 2,
    programs: 3,
    share: 0.05,
  },
  ...[
    { name: 'any order', spread: 'any' as const },
    { name: 'flips', spread: 'forks' as const },
  ].map((mode) => ({ ...mode, runs: [{}, {}, {}], last: 2, programs: 3, share: 0.1 })),
];

const EPOCHS = ['2.1', '2.4', '2.5', '3.0', '3.2', '3.3', '3.4', '4.0'] as const;

/**
 * The program with its steps in the runs of a mode, cut in two anywhere; often before its tokens, if they are missing
 * otherwise.
 */
export function arrange<P extends Program>(program: P, { parts, spread, epoch }: Mode, random: Random): P {
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

/** Sources of old versions in all epochs, which the chain enters behind each other, however many programs say so. */
function enterEpochs(random: Random): (step: Step) => Step[] {
  return (step) => {
    const ownVersion =
      'deploy' in step && (step.clarity ?? 0) > 1 && random.chance(0.4) ? { ...step, clarity: 1 } : step;
    return random.chance(0.04) ? [{ epoch: random.pick(EPOCHS) }, ownVersion] : [ownVersion];
  };
}
