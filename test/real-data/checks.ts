// Runs the checks of a script on what it is given; prints those that failed and how many there were, and sets the exit
// status.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CliResult, runCli } from '../support/run-cli.ts';

export interface Checks {
  /** The archive or the folder that the script was given. */
  readonly given: string;
  /** What was given behind it. */
  readonly more: readonly string[];
  /** A folder of the script's own, where it runs commands. */
  readonly work: string;
  check(what: string, good: boolean, detail?: string): void;
  run(...args: readonly string[]): Promise<CliResult>;
  /** Runs what must end well. */
  ok(...args: readonly string[]): Promise<CliResult>;
}

/** `needs`: what must be in the folder that is given; nothing where that is an archive. */
export async function runChecks(usage: string, needs: string, checks: (given: Checks) => Promise<void>): Promise<void> {
  const [given, ...more] = process.argv.slice(2);
  if (given === undefined || !existsSync(join(given, needs))) {
    console.error(`usage: node test/real-data/${usage}${needs === '' ? '' : `, a folder with ${needs} in it`}`);
    process.exit(1);
  }
  let [passed, failed] = [0, 0];
  const check: Checks['check'] = (what, good, detail = '') => {
    if (good) passed++;
    else failed++;
    if (!good) console.error(`FAILED ${what}${detail === '' ? '' : `: ${detail}`}`);
  };
  const work = mkdtempSync(join(tmpdir(), 'stxpress-real-data-'));
  const run: Checks['run'] = (...args) => runCli(args, { cwd: work });
  const ok: Checks['ok'] = async (...args) => {
    const result = await run(...args);
    check(`stxpress ${args.join(' ')}`, result.status === 0, result.stderr);
    return result;
  };
  try {
    await checks({ given: resolve(given), more, work, check, run, ok });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
