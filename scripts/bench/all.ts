// This script runs all benchmarks, one behind the other: npm run bench [-- --quick] …
// Those that lack a program (nginx, wrk) say so and are passed over. It ends with status 1 if a target is missed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readOptions, USAGE } from './options.ts';

const args = process.argv.slice(2);
let isJudged = true;
try {
  ({ isJudged } = readOptions(args));
} catch (error) {
  console.error(`${(error as Error).message}\nusage: npm run bench -- ${USAGE}`);
  process.exit(1);
}

const SCRIPTS: readonly (readonly [name: string, ...args: string[]])[] = [
  ['replay', ...args],
  ['busy', ...args],
  ['build', ...args],
  ['publish', ...args],
  ['follow', ...args],
  ['collections', ...args],
  ['vm', ...args],
  ['calls', ...args],
  ['growth', ...args],
  ['fetch'],
  ['serve', ...args],
];
const missed = SCRIPTS.filter(([name, ...own]) => {
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return spawnSync(process.execPath, [script, ...own], { stdio: 'inherit' }).status !== 0;
});
if (missed.length > 0) {
  console.error(`Not as they should be, see above: ${missed.map(([name]) => name).join(', ')}`);
  if (isJudged) process.exitCode = 1;
}
