// Shared parts of the benchmarks: options, a temporary folder, chains and builds.
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Measured, measure, stxpress } from './measure.ts';

export interface BenchOptions {
  readonly contracts: number;
  /** The size, in MB, of the archive of the benchmark `busy`. */
  readonly megabytes: number;
  /** The number of runs per figure. The figure is their median. */
  readonly rounds: number;
  /** The parent of the run's temporary folder. It must have space for several sites. */
  readonly temp: string;
  /** True if the run is large enough to compare it with the targets. */
  readonly isJudged: boolean;
}

export interface Bench extends BenchOptions {
  readonly folder: string;
  readonly path: (name: string) => string;
}

/** Parses the options. `--quick` only checks that everything runs; its figures are not for the docs. */
export function readOptions(args: readonly string[], known: readonly string[]): BenchOptions & { names: string[] } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      contracts: { type: 'string' },
      megabytes: { type: 'string' },
      rounds: { type: 'string' },
      temp: { type: 'string', default: tmpdir() },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no benchmark ${unknown}.`);
  const [contracts, megabytes, rounds] = values.quick ? [3_000, 30, 1] : [110_000, 1_000, 5];
  return {
    names: positionals.length === 0 ? [...known] : positionals,
    contracts: Number(values.contracts ?? contracts),
    megabytes: Number(values.megabytes ?? megabytes),
    rounds: Number(values.rounds ?? rounds),
    temp: values.temp,
    isJudged: !values.quick,
  };
}

export async function withBench<Result>(
  options: BenchOptions,
  work: (bench: Bench) => Promise<Result>,
): Promise<Result> {
  using made = mkdtempDisposableSync(join(options.temp, 'stxpress-bench-'));
  return await work({ ...options, folder: made.path, path: (name) => join(made.path, name) });
}

const scriptOf = (name: string): string => fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
/** The script with the baselines. */
export const BASELINES = scriptOf('baselines');

export function runScript(name: string, ...args: readonly (string | number)[]): Promise<Measured> {
  return measure(process.execPath, [scriptOf(name), ...args.map(String)]);
}

export const baseline = (name: string, ...args: readonly (string | number)[]) => runScript('baselines', name, ...args);

export async function makeChain(
  file: string,
  { contracts }: Pick<BenchOptions, 'contracts'>,
  ...options: readonly (string | number)[]
): Promise<void> {
  await runScript('make-chain', file, '--contracts', contracts, ...options);
}

/** Indexes an archive without evaluating tokens and without fetching documents. */
export function indexChain(db: string, archive: string): Promise<Measured> {
  return stxpress('index', '--db', db, '--archive', archive, '--no-vm', '--offline');
}

export const buildSite = (db: string, out: string) => stxpress('build', '--db', db, '--out', out);
