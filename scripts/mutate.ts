// Changes random places of `src`, one at a time, and runs tests on each change. A change that no test notices survives.
//
//   npm run mutate -- --seed 7             prints the mutations and their tests, without running them
//   npm run mutate -- --seed 7 --run       runs them in this checkout, and restores each file
//   npm run mutate -- --seed 7 --run --slow --only 3,8    also runs the slow tests, on two of the mutations
//
// Chooses twenty places: five in the indexer, five in the store and its sources, five in the code that builds and
// publishes a site, and five elsewhere. Runs the tests of the folder first, then `reliability` and `hostile`.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '../test/support/random.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    run: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
  },
});
const PARTS: readonly (readonly string[])[] = [
  ['indexer'],
  ['store', 'source'],
  ['generator', 'publish', 'routes'],
  [],
];
const NAMED = new Set(PARTS.flat());
/** Pages and their styles are tested in a browser, by the conformance suite. */
const UNTESTED = ['explorer'];
const PER_PART = 5;

/** Replacements for an operator or a word of code. The spaces tell operators from the brackets of type parameters. */
const REPLACED = new Map([
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' < ', ' <= '],
  [' > ', ' >= '],
  [' <= ', ' < '],
  [' >= ', ' > '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' + 1', ''],
  [' - 1', ''],
  ['true', 'false'],
  ['false', 'true'],
  ['(!', '('],
  ["'asc'", "'desc'"],
  ["'desc'", "'asc'"],
]);
const OPERATOR = / [!=]== | [<>]=? | (?:&&|\|\|) | [+-] 1\b|\b(?:true|false)\b|\(!|'(?:asc|desc)'/g;
/** A call without a result, or a condition that returns, continues or throws on the same line. */
const STATEMENT = /^\s+(?:(?:await )?[\w.#?]+\(.*\);|if \(.*\) (?:return|continue|throw).*;)$/;
const NO_CODE = /^\s*(?:\/\/|\/?\*|import |export (?:type|interface)|readonly |type |interface )/;

interface Mutation {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

function mutationsOf(file: string): Mutation[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((before, index) => {
      if (NO_CODE.test(before)) return [];
      const replaced = Array.from(
        before.matchAll(OPERATOR),
        ({ 0: found, index }) => before.slice(0, index) + REPLACED.get(found) + before.slice(index + found.length),
      );
      const all = STATEMENT.test(before) ? [...replaced, ''] : replaced;
      return all.map((after) => ({ file, line: index + 1, before, after }));
    });
}

const folderOf = (file: string) => file.split('/')[1] ?? '';

function choose(random: Random): Mutation[] {
  const files = globSync('src/**/*.{ts,js}').sort();
  return PARTS.flatMap((folders) => {
    const isOfPart = (folder: string) =>
      folders.length > 0 ? folders.includes(folder) : !NAMED.has(folder) && !UNTESTED.includes(folder);
    const all = files.filter((file) => isOfPart(folderOf(file))).flatMap(mutationsOf);
    return Array.from({ length: PER_PART }, () => random.pick(all));
  });
}

/** Returns the first failed test, or undefined if all tests pass. */
function runTests(folders: readonly string[]): string | undefined {
  for (const script of values.slow ? ['test', 'test:slow'] : ['test']) {
    const args = ['run', '--silent', script, '--', '--bail', '1', '--passWithNoTests', ...folders];
    const { status, stdout, stderr } = spawnSync('npm', args, {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    if (status !== 0) return /FAIL +(.*)/.exec(stdout + stderr)?.[1] ?? `no failed test: ${stderr.trim().slice(-300)}`;
  }
  return undefined;
}

function kill({ file, line, after }: Mutation): string | undefined {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  lines[line - 1] = after;
  try {
    writeFileSync(file, lines.join('\n'));
    const ownTests = `test/${folderOf(file)}/`;
    return (
      (existsSync(ownTests) ? runTests([ownTests]) : undefined) ?? runTests(['test/reliability/', 'test/hostile/'])
    );
  } finally {
    writeFileSync(file, text);
  }
}

const chosen = choose(new Random(Number(values.seed)));
let died = 0;
const survivors: number[] = [];
for (const [index, mutation] of chosen.entries()) {
  const number = index + 1;
  if (values.only !== undefined && !values.only.split(',').includes(`${number}`)) continue;
  console.log(
    `${number} ${mutation.file}:${mutation.line}\n  - ${mutation.before.trim()}\n  + ${mutation.after.trim()}`,
  );
  if (!values.run) continue;
  const killer = kill(mutation);
  console.log(killer === undefined ? '  survives' : `  dies: ${killer}`);
  if (killer === undefined) survivors.push(number);
  else died++;
}
if (values.run) console.log(`${died} died; survivors: ${survivors.join(', ') || 'none'}`);
