// This script runs the long form of the reliability tests: npm run soak -- --minutes N [--seed N]
// Its parts share the time and use new seeds. A failure reports its seed, which --seed repeats.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE = 'usage: npm run soak -- --minutes N [--seed N]';
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const FUZZ = new URL('../test/reliability/fuzz/', import.meta.url);
/** The number of fuzz tests. Each of them runs for the same time, and vitest runs {@link AT_ONCE} in parallel. */
const SURFACES = readdirSync(FUZZ).filter((name) => name.endsWith('.test.ts')).length;
const AT_ONCE = 2;
const TREES_PER_SECOND = 500;
const STEPS_PER_SECOND = 40;
const PROGRAMS_PER_SECOND = 8;
/** The number of builds per second of the test in test/reliability/lists. */
const BUILDS_PER_SECOND = 0.5;
/** The time reserved for the setup of the parts, and for tests whose duration cannot be set. */
const SETUP_SECONDS = 60;

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? 10);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error(USAGE);
  process.exit(1);
}

type Environment = (seconds: number) => Record<string, number>;

/** The parts: the folder of the tests, the share of the time, and the environment variables that set the duration. */
const PARTS: readonly (readonly [folder: string, share: number, environment: Environment])[] = [
  ['crash', 0.2, (seconds) => ({ SOAK_SECONDS: seconds, CRASH_SEED: seed })],
  ['fuzz', 0.25, (seconds) => ({ FUZZ_SECONDS: Math.max(1, (seconds * AT_ONCE) / SURFACES), FUZZ_SEED: seed })],
  ['forks', 0.15, (seconds) => ({ FORKS_TREES: seconds * TREES_PER_SECOND, FORKS_SEED: seed })],
  ['follow', 0.15, (seconds) => ({ FOLLOW_SECONDS: seconds, FOLLOW_SEED: seed })],
  ['tip', 0.15, (seconds) => ({ TIP_PROGRAMS: seconds * PROGRAMS_PER_SECOND, TIP_SEED: seed })],
  ['lists', 0.05, (seconds) => ({ LISTS_BUILDS: seconds * BUILDS_PER_SECOND, LISTS_SEED: seed })],
  ['ledger', 0.05, (seconds) => ({ SOAK: 1, LEDGER_STEPS: seconds * STEPS_PER_SECOND, LEDGER_SEED: seed })],
  ['machine', 0, () => ({})],
];

const seconds = Math.max(1, minutes * 60 - SETUP_SECONDS);
console.log(`Seed ${seed}, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`);
const failed = PARTS.filter(([folder, share, environment]) => {
  const settings = Object.entries(environment(seconds * share)).map(([name, value]) => [
    name,
    String(Math.ceil(value)),
  ]);
  const { status } = spawnSync(process.execPath, [VITEST, 'run', `test/reliability/${folder}/`], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(settings) },
  });
  return status !== 0;
});
if (failed.length > 0) {
  console.error(
    `Failed: ${failed.map(([folder]) => folder).join(', ')}. Repeat with: npm run soak -- --minutes ${minutes} --seed ${seed}`,
  );
  process.exitCode = 1;
}
