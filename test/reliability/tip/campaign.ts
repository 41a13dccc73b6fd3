// Runs random programs, up to 40 on one chain, and counts their values by verdict and reason.
import { Random } from '../../support/random.ts';
import { type DrawnProgram, makeProgram } from './generate/make-program.ts';
import { formatJudged, type Judged } from './judge-values.ts';
import { arrange, type Mode } from './modes.ts';
import { formatProgram, type Program } from './program.ts';
import { shrinkProgram } from './shrink-program.ts';
import { runWorld } from './world.ts';

interface Wrong {
  readonly program: DrawnProgram;
  readonly mode: Mode;
  readonly values: readonly Judged[];
}

export interface Campaign {
  /** The number of values by key. A key is the verdict and, if the status reports a reason, the code of the reason. */
  readonly counts: Readonly<Record<string, number>>;
  readonly wrong: readonly Wrong[];
}

const PROGRAMS_PER_WORLD = 40;

export async function runCampaign(mode: Mode, seed: number, programs: number): Promise<Campaign> {
  const counts: Record<string, number> = {};
  const wrong: Wrong[] = [];
  const { programs: perWorld = PROGRAMS_PER_WORLD } = mode;
  for (let first = 0; first < programs; first += perWorld) {
    const count = Math.min(perWorld, programs - first);
    const drawn = Array.from({ length: count }, (_, index) => draw(mode, seed + first + index));
    const { judged } = await runWorld(drawn, mode);
    for (const { verdict, reason = '' } of judged) {
      const key = `${verdict} ${reason}`.trim();
      counts[key] = (counts[key] ?? 0) + 1;
    }
    const bad = Map.groupBy(
      judged.filter(({ verdict }) => verdict === 'wrong'),
      ({ program }) => program,
    );
    for (const program of drawn)
      if (bad.has(program.name)) wrong.push({ program, mode, values: bad.get(program.name) ?? [] });
  }
  return { counts, wrong };
}

function draw(mode: Mode, seed: number): DrawnProgram {
  return arrange(makeProgram(`s${seed}`, seed), mode, new Random(seed));
}

/** Describes a failure: its seed, the smallest program found that still fails, and the wrong values. */
export async function explain({ program, mode, values }: Wrong, timeMs: number): Promise<string> {
  const wanted = new Set(values.map(({ name }) => name));
  const findWrong = async (programs: readonly Program[]) => {
    const { judged } = await runWorld(programs, mode);
    return judged.filter(({ verdict, name }) => verdict === 'wrong' && wanted.has(name));
  };
  const findFailing = async (programs: readonly Program[]) => {
    const bad = new Set((await findWrong(programs)).map((value) => value.program));
    return programs.map(({ name }) => bad.has(name));
  };
  const smallest = await shrinkProgram(program, findFailing, timeMs);
  const left = await findWrong([smallest]);
  // A value that depends on the chain's height may be right if the program runs on a chain for itself.
  const shown =
    left.length === 0
      ? [...values.map(formatJudged), '(right when run without the other programs)']
      : left.map(formatJudged);
  return [summarize({ program, mode, values }), formatProgram(smallest), ...shown].join('\n');
}

export function summarize({ program, mode, values }: Wrong): string {
  return `${program.name}, ${mode.name}, with ${[...program.features].join(' ')}: ${values.length} wrong`;
}
