// Runs the checks of a script on the input in its first argument. Prints the failed checks and the counts, and sets the
// exit status.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CliResult, runCli } from '../support/run-cli.ts';

export interface Checks {
  /** The path in the first argument, an archive or a folder. */
  readonly input: string;
  /** The arguments after the first one. */
  readonly more: readonly string[];
  /** A temporary folder, in which the commands run. */
  readonly work: string;
  check(what: string, isGood: boolean, detail?: string): void;
  /** Runs a command of stxpress, which must succeed. */
  ok(...args: readonly string[]): Promise<CliResult>;
}

/**
 * Runs the function `checks`. `needs` is a path that must exist in the folder of the first argument; empty if that
 * argument is an archive.
 */
export async function runChecks(usage: string, needs: string, checks: (input: Checks) => Promise<void>): Promise<void> {
  const [input, ...more] = process.argv.slice(2);
  if (input === undefined || !existsSync(join(input, needs))) {
    console.error(`usage: node test/real-data/${usage}${needs === '' ? '' : `, where FOLDER has ${needs}`}`);
    process.exit(1);
  }
  let [passed, failed] = [0, 0];
  const check: Checks['check'] = (what, isGood, detail = '') => {
    if (isGood) passed++;
    else failed++;
    if (!isGood) console.error(`FAILED ${what}${detail === '' ? '' : `: ${detail}`}`);
  };
  const work = mkdtempSync(join(tmpdir(), 'stxpress-real-data-'));
  const ok: Checks['ok'] = async (...args) => {
    const result = await runCli(args, { cwd: work });
    check(`stxpress ${args.join(' ')}`, result.status === 0, result.stderr);
    return result;
  };
  try {
    await checks({ input: resolve(input), more, work, check, ok });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
