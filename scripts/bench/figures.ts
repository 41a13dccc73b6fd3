// Measures the figures of a benchmark, each with a baseline. Prints them as a table, and writes them as JSON for the
// docs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './bench.ts';
import { describeMachine, type Measured, median } from './measure.ts';

export interface Figure {
  readonly what: string;
  readonly seconds: number;
  readonly baseline: string;
  readonly baselineSeconds: number;
  readonly target: Target;
  readonly peakMb?: number | undefined;
  /** The maximum peak of memory. The default is {@link MAX_PEAK_MB}. */
  readonly maxPeakMb?: number;
}

/** The target: at most `times` the duration of the baseline, or at most `above` seconds more. */
export type Target =
  | { readonly times: number; readonly goal?: number }
  | { readonly above: number }
  | 'stated, without a target';

export interface Results {
  readonly machine: string;
  readonly input: string;
  readonly figures: readonly Figure[];
}

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

export const MAX_PEAK_MB = 512;

export function holds({ seconds, baselineSeconds, target, peakMb, maxPeakMb = MAX_PEAK_MB }: Figure): boolean {
  if ((peakMb ?? 0) > maxPeakMb) return false;
  if (typeof target === 'string') return true;
  return 'times' in target ? seconds <= target.times * baselineSeconds : seconds <= baselineSeconds + target.above;
}

/** Returns the table as Markdown. Marks missed targets only if `isJudged`. */
export function renderTable(figures: readonly Figure[], isJudged = true): string {
  const rows = figures.map((figure) => {
    const { what, seconds, baseline, baselineSeconds, target, peakMb } = figure;
    const isAbove = typeof target !== 'string' && 'above' in target;
    const compared = isAbove
      ? `+${Math.round((seconds - baselineSeconds) * 1000)} ms`
      : `${(seconds / baselineSeconds).toFixed(2)} x`;
    const peak = peakMb === undefined ? '' : `${peakMb} MB`;
    return `| ${what} | ${format(seconds)} | ${baseline}: ${format(baselineSeconds)} | ${compared} | ${describeTarget(target)}${isJudged && !holds(figure) ? ' (missed)' : ''} | ${peak} |\n`;
  });
  return `| figure | time | baseline | compared | target | peak |\n|---|---|---|---|---|---|\n${rows.join('')}`;
}

function describeTarget(target: Target): string {
  if (typeof target === 'string') return target;
  if ('above' in target) return `+${Math.round(target.above * 1000)} ms`;
  return `${target.times.toFixed(1)} x${target.goal === undefined ? '' : `, goal ${target.goal.toFixed(1)} x`}`;
}

function format(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

export interface Report {
  readonly input: string;
  readonly figures: readonly Figure[];
  /** True if the benchmark missed a target that is not the target of a figure. */
  readonly isMissed?: boolean;
}

/** Prints the table and writes `<folder>/<name>.json`. */
export function report(name: string, { input, figures }: Report, options: BenchOptions): void {
  if (figures.length === 0) return;
  const results: Results = { machine: describeMachine(), input, figures };
  console.log(`${name}: ${input}; ${results.machine}\n\n${renderTable(figures, options.isJudged)}`);
  if (!options.isJudged) console.log('Too small to be judged: most of that is starting programs.\n');
  writeResults(name, results, options);
}

export function writeResults(name: string, results: object, { results: folder }: BenchOptions): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(results, null, 2)}\n`);
}
