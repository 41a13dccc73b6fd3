// Options that all benchmarks take, and a folder of their own, removed at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from './measure.ts';

export interface BenchOptions {
  readonly contracts: number;
  /** Of the archive that is as busy as mainnet's. */
  readonly megabytes: number;
  /** Runs of each figure; their median counts. */
  readonly rounds: number;
  /** Where the folder of a run is made; it has to have room for several sites. */
  readonly temp: string;
  /** Where results are written. */
  readonly results: string;
  readonly principals: string | undefined;
  /** Whether the run is large enough for its targets. */
  readonly isJudged: boolean;
}

export const USAGE =
  '[--quick] [--contracts N] [--megabytes N] [--rounds N] [--principals FILE] [--temp FOLDER] [--results FOLDER]';

/** `--quick`: small enough for a check that everything runs; its results are not for the docs. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      contracts: { type: 'string' },
      megabytes: { type: 'string' },
      rounds: { type: 'string' },
      principals: { type: 'string' },
      temp: { type: 'string', default: tmpdir() },
      results: { type: 'string' },
    },
  });
  return {
    contracts: Number(values.contracts ?? (values.quick ? 3_000 : 110_000)),
    megabytes: Number(values.megabytes ?? (values.quick ? 30 : 1_000)),
    rounds: Number(values.rounds ?? (values.quick ? 1 : 5)),
    temp: values.temp,
    results:
      values.results ??
      (values.quick ? join(tmpdir(), 'stxpress-bench-quick') : fileURLToPath(new URL('./results/', import.meta.url))),
    principals: values.principals,
    isJudged: !values.quick,
  };
}

export async function withFolder(temp: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(temp, 'stxpress-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MAKE_CHAIN = fileURLToPath(new URL('./make-chain.ts', import.meta.url));

export async function makeChain(file: string, options: BenchOptions, ...more: string[]): Promise<void> {
  const principals = options.principals === undefined ? [] : ['--principals', options.principals];
  await measure(process.execPath, [MAKE_CHAIN, file, '--contracts', String(options.contracts), ...principals, ...more]);
}

const MAKE_COLLECTIONS = fileURLToPath(new URL('./make-collections.ts', import.meta.url));
/** As make-chain.ts has them. */
const CONTRACTS_PER_BLOCK = 20;

/** Collections behind a chain of {@link makeChain}. */
export async function makeCollections(
  file: string,
  { contracts, tokens }: { readonly contracts: number; readonly tokens: number },
  ...more: string[]
): Promise<void> {
  const height = String(Math.ceil(contracts / CONTRACTS_PER_BLOCK));
  await measure(process.execPath, [MAKE_COLLECTIONS, file, '--height', height, '--tokens', String(tokens), ...more]);
}
