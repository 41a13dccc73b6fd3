// This script runs the long form of the reliability tests: npm run soak -- --minutes N [--seed N]
// Its parts share the time, with seeds that no run had before; a failure names its seed, and --seed repeats it.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = 'usage: npm run soak -- --minutes N [--seed N]';
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const FUZZ = new URL('../test/reliability/fuzz/', import.meta.url);
/** Each has a time of its own; as many are fuzzed at once as vitest.config.ts has workers. */
const SURFACES = readdirSync(FUZZ).filter((name) => name.endsWith('.test.ts')).length;
const AT_ONCE = 2;
const TREES_PER_SECOND = 500;
const STEPS_PER_SECOND = 40;
const PROGRAMS_PER_SECOND = 8;
/** Of one of the three parts that lists are searched in. */
const BUILDS_PER_SECOND = 0.5;
/** What the parts take beyond the time that they are told: setting up, and the tests of their short form. */
const BESIDE_SECONDS = 60;

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? 10);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error(USAGE);
  process.exit(1);
}

type Environment = (seconds: number) => Record<string, number>;

/** Each part of the tests, its share of the time, and what tells it how long to go on. */
const PARTS: readonly (readonly [folder: string, share: number, environment: Environment])[] = [
  ['crash', 0.2, (seconds) => ({ SOAK_SECONDS: seconds, CRASH_SEED: seed })],
  ['fuzz', 0.25, (seconds) => ({ FUZZ_SECONDS: Math.max(1, (seconds * AT_ONCE) / SURFACES), FUZZ_SEED: seed })],
  ['forks', 0.15, (seconds) => ({ FORKS_TREES: seconds * TREES_PER_SECOND, FORKS_SEED: seed })],
  ['follow', 0.15, (seconds) => ({ FOLLOW_SECONDS: seconds, FOLLOW_SEED: seed })],
  ['tip', 0.15, (seconds) => ({ TIP_PROGRAMS: seconds * PROGRAMS_PER_SECOND, TIP_SEED: seed })],
  ['lists', 0.05, (seconds) => ({ LISTS_BUILDS: seconds * BUILDS_PER_SECOND, LISTS_SEED: seed })],
  ['ledger', 0.05, (seconds) => ({ SOAK: 1, LEDGER_STEPS: seconds * STEPS_PER_SECOND, LEDGER_SEED: seed })],
  ['trouble', 0, () => ({})],
];

const seconds = Math.max(1, minutes * 60 - BESIDE_SECONDS);
console.log(`Seed ${seed}, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`);
const failed = PARTS.filter(([folder, share, environment]) => {
  const more = Object.entries(environment(seconds * share)).map(([name, value]) => [name, String(Math.ceil(value))]);
  const { status } = spawnSync(process.execPath, [VITEST, 'run', `test/reliability/${folder}/`], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(more) },
  });
  return status !== 0;
});
if (failed.length > 0) {
  console.error(
    `Failed: ${failed.map(([folder]) => folder).join(', ')}. Repeat with: npm run soak -- --minutes ${minutes} --seed ${seed}`,
  );
  process.exitCode = 1;
}
