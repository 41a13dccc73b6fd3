// This script kills index and build at random over a large archive: node test/real-data/check-kills.ts ARCHIVE [LATER]
// LATER continues ARCHIVE (scripts/bench/make-chain.ts writes both). Each is indexed and built once without a kill and
// once with kills: the databases must be whole, and the sites the same, byte by byte.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkIntegrity } from '../reliability/crash/databases.ts';
import { killAtRandom } from '../reliability/crash/kill-loop.ts';
import { runPlain } from '../reliability/crash/watched-run.ts';
import { filesBelow } from '../support/sample.ts';
import { countChecks } from './count-checks.ts';

const USAGE = 'usage: node test/real-data/check-kills.ts ARCHIVE [LATER] [--kills N] [--seed N] [--temp FOLDER]';
/** Earlier than this, Node has not loaded the program yet. */
const LEAST_MS = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    temp: { type: 'string', default: tmpdir() },
  },
});
const archives = positionals.map((path) => resolve(path));
if (archives.length === 0 || archives.length > 2) {
  console.error(USAGE);
  process.exit(1);
}

const { check, finish } = countChecks();
const folder = mkdtempSync(join(values.temp, 'stxpress-kills-'));
const [plain, killed] = ['plain', 'killed'].map((name) => join(folder, name)) as [string, string];
for (const cwd of [plain, killed]) mkdirSync(cwd);
const commands = archives.flatMap((archive) => [['index', '--archive', archive, '--no-vm', '--no-fetch'], ['build']]);
/** LATER adds little, so most kills go to the first two runs. */
const shares = archives.length === 1 ? [0.5, 0.5] : [0.45, 0.45, 0.05, 0.05];
const killsOf = shares.map((share) => Math.ceil(Number(values.kills) * share));
/** Kills come at random times, and some runs end before theirs. */
const LEAST_DONE = 0.9;
let total = 0;
try {
  for (const [at, args] of commands.entries()) {
    const killsEach = killsOf[at] as number;
    const start = performance.now();
    const { status, stderr } = await runPlain(args, plain);
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    const ms = Math.round(performance.now() - start);
    // An index run continues where it was killed, so it takes many kills; a build starts again until it has its plan.
    const most = args[0] === 'index' ? LEAST_MS + (2 * ms) / killsEach : ms;
    const kills = { args, cwd: killed, kills: killsEach, afterMs: [LEAST_MS, Math.max(2 * LEAST_MS, most)] as const };
    const last = await killAtRandom({ ...kills, seed: Number(values.seed) + at });
    total += last.killed;
    console.log(`${args.slice(0, 3).join(' ')}: ${ms} ms without a kill; killed ${last.killed} times of ${killsEach}`);
    check(`${args[0]} ends well`, last.status === 0, last.stderr.trim());
    checkWhole('data/index.sqlite', args[0]);
    if (args[0] === 'build') {
      checkWhole('dist/.stxpress/record.sqlite', args[0]);
      compareSites();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
check(
  `nine tenths of ${values.kills} kills came before the end`,
  total >= LEAST_DONE * Number(values.kills),
  `${total} did`,
);
finish();

function checkWhole(database: string, command = ''): void {
  const file = join(killed, database);
  check(`${database} is whole after ${command}`, existsSync(file) && checkIntegrity(file) === 'ok');
}

function compareSites(): void {
  const [wanted, got] = [plain, killed].map((cwd) => join(cwd, 'dist')) as [string, string];
  const [paths, gotPaths] = [filesBelow(wanted), filesBelow(got)];
  check('the same paths', paths.join('\n') === gotPaths.join('\n'), `${gotPaths.length} instead of ${paths.length}`);
  const known = new Set(gotPaths);
  const other = paths.filter((path) => known.has(path) && !isSame(join(wanted, path), join(got, path)));
  check('the same bytes', other.length === 0, `other in ${other.slice(0, 3).join(', ')}`);
}

function isSame(left: string, right: string): boolean {
  return readFileSync(left).equals(readFileSync(right));
}
