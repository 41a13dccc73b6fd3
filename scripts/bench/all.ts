// This script runs the named benchmarks one after the other, or all of them: npm run bench [-- NAME … --quick …]. It
// skips and reports benchmarks that require a missing program (nginx, wrk). Its exit status is 1 if a target is missed.
import { type Bench, readOptions, withBench } from './bench.ts';
import { build } from './build.ts';
import { holds, type Report, report } from './figures.ts';
import { busy, replay } from './replay.ts';
import { serve } from './serve.ts';

type Benchmark = (bench: Bench) => Promise<Report>;

const BENCHMARKS: Readonly<Record<string, Benchmark>> = { replay, busy, build, serve };
const USAGE =
  'npm run bench -- [NAME …] [--quick] [--contracts N] [--megabytes N] [--rounds N] [--temp FOLDER]\n' +
  `Names: ${Object.keys(BENCHMARKS).join(', ')}`;

try {
  const { names, ...options } = readOptions(process.argv.slice(2), Object.keys(BENCHMARKS));
  const missed: string[] = [];
  for (const name of names) {
    try {
      const done = await withBench(options, BENCHMARKS[name] as Benchmark);
      report(name, done, options.isJudged);
      if (options.isJudged && !(done.isMissed !== true && done.figures.every(holds))) missed.push(name);
    } catch (error) {
      console.error(`${name}: ${(error as Error).message}`);
      missed.push(name);
    }
  }
  if (missed.length > 0) console.error(`Not as they should be, see above: ${missed.join(', ')}`);
  if (missed.length > 0 && options.isJudged) process.exitCode = 1;
} catch (error) {
  console.error(`${(error as Error).message}\nusage: ${USAGE}`);
  process.exitCode = 1;
}
