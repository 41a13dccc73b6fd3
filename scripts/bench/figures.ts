// Measures the figures of a benchmark, each with a baseline, and prints them as a table for the docs.
import { describeMachine, type Measured, median } from './measure.ts';

export interface Figure {
  readonly what: string;
  readonly seconds: number;
  readonly baseline: string;
  readonly baselineSeconds: number;
  readonly target: Target;
  readonly peakMb?: number | undefined;
}

/** The target: at most `times` the duration of the baseline, or at most `above` seconds more. */
export type Target = { readonly times: number; readonly goal?: number } | { readonly above: number };

/** A figure to measure. Its functions run the work and the baseline once. Rounds are counted from 0. */
export interface Comparison {
  readonly what: string;
  readonly run: (round: number) => Promise<Measured>;
  readonly baseline: string;
  readonly runBaseline: (round: number) => Promise<Measured>;
  readonly target: Target;
}

/**
 * Runs the work and the baseline in turns, `rounds` times. Returns the median durations and the highest peak of memory.
 */
export async function compare(
  rounds: number,
  { what, run, baseline, runBaseline, target }: Comparison,
): Promise<Figure> {
  const runs: Measured[] = [];
  const baselineRuns: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    runs.push(await run(round));
    baselineRuns.push(await runBaseline(round));
  }
  const peaks = runs.flatMap(({ peakMb }) => peakMb ?? []);
  return {
    what,
    seconds: median(runs.map((measured) => measured.seconds)),
    baseline,
    baselineSeconds: median(baselineRuns.map((measured) => measured.seconds)),
    target,
    peakMb: peaks.length === 0 ? undefined : Math.max(...peaks),
  };
}

const MAX_PEAK_MB = 512;

export function holds({ seconds, baselineSeconds, target, peakMb }: Figure): boolean {
  if ((peakMb ?? 0) > MAX_PEAK_MB) return false;
  return 'times' in target ? seconds <= target.times * baselineSeconds : seconds <= baselineSeconds + target.above;
}

/** Returns the table as Markdown. Marks missed targets only if `isJudged`. */
function renderTable(figures: readonly Figure[], isJudged: boolean): string {
  const rows = figures.map((figure) => {
    const { what, seconds, baseline, baselineSeconds, target, peakMb } = figure;
    const compared =
      'above' in target
        ? `+${Math.round((seconds - baselineSeconds) * 1000)} ms`
        : `${(seconds / baselineSeconds).toFixed(2)} x`;
    const peak = peakMb === undefined ? '' : `${peakMb} MB`;
    return `| ${what} | ${format(seconds)} | ${baseline}: ${format(baselineSeconds)} | ${compared} | ${describeTarget(target)}${isJudged && !holds(figure) ? ' (missed)' : ''} | ${peak} |\n`;
  });
  return `| figure | time | baseline | compared | target | peak |\n|---|---|---|---|---|---|\n${rows.join('')}`;
}

function describeTarget(target: Target): string {
  if ('above' in target) return `+${Math.round(target.above * 1000)} ms`;
  return `${target.times.toFixed(1)} x${target.goal === undefined ? '' : `, goal ${target.goal.toFixed(1)} x`}`;
}

function format(seconds: number): string {
  return seconds < 0.9995 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

export interface Report {
  readonly input: string;
  readonly figures: readonly Figure[];
  /** True if the benchmark missed a target that is not the target of a figure. */
  readonly isMissed?: boolean;
}

/** Prints the table. */
export function report(name: string, { input, figures }: Report, isJudged: boolean): void {
  if (figures.length === 0) return;
  console.log(`${name}: ${input}; ${describeMachine()}\n\n${renderTable(figures, isJudged)}`);
  if (!isJudged) console.log('Too small to be judged: most of that is starting programs.\n');
}
