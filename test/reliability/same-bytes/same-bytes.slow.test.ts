// Tests that the blocks of random programs give the same site, in one run or several, with stopped and killed runs, with
// and without the VM at first, and with one thread or several.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { Random } from '../../support/random.ts';
import { type CliOptions, endOf, okOf, runCli, runWarm, spawnCli } from '../../support/run-cli.ts';
import { readTree } from '../../support/sample.ts';
import { limitOf, SEED } from '../../support/soak.ts';
import { tempFolder, tempFolderForFile } from '../../support/temp-folder.ts';
import { withTrueInterfaces } from '../../support/true-interfaces.ts';
import { makeProgram } from '../tip/generate/make-program.ts';
import { arrange, MODES, type Mode } from '../tip/modes.ts';
import { allLines } from '../tip/served-site.ts';
import { runPrograms } from '../tip/world.ts';

const PROGRAMS = 8;
const RUNS = 3;

const random = new Random(SEED);
// Steps that arrive in any order alternate with the steps of other programs.
const mixed = MODES.find(({ name }) => name === 'any order') as Mode;
const programs = Array.from({ length: PROGRAMS }, (_, at) =>
  arrange(makeProgram(`s${at}`, random.below(2 ** 31)), mixed, random),
);
const folder = tempFolderForFile();
let lines: string[];
let files: Map<string, string>;
/** The time that a run takes. */
let wholeMs: number;

/** A folder with the complete archive, in which commands run. */
class Site {
  readonly cwd: string;

  constructor(archive = lines.join(''), cwd = tempFolder()) {
    this.cwd = cwd;
    writeFileSync(join(this.cwd, 'chain.tsv'), archive);
  }

  index(...args: string[]): Promise<void> {
    return this.run(['index', '--archive', 'chain.tsv', '--offline', ...args]);
  }

  async run(args: string[], options: Partial<CliOptions> = {}): Promise<void> {
    const { status, stderr } = await runCli([...args, '--quiet'], { cwd: this.cwd, ...options });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('bug')]);
  }

  /** Starts an index run that a signal ends, unless it ends before. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    const args = ['index', '--archive', 'chain.tsv', '--offline', '--quiet'];
    const child = spawnCli(args, { cwd: this.cwd });
    const ended = endOf(child);
    await Promise.race([ended, delay(random.within(wholeMs >> 3, Math.ceil(wholeMs)))]);
    child.kill(signal);
    await ended;
  }

  async files(): Promise<Map<string, string>> {
    okOf(await runWarm(['build'], { cwd: this.cwd }));
    return readTree(join(this.cwd, 'dist'));
  }
}

async function expectSame(site: Site): Promise<void> {
  const actual = await site.files();
  const differing = [...new Set([...files.keys(), ...actual.keys()])].filter(
    (path) => files.get(path) !== actual.get(path),
  );
  const shown = differing.slice(0, 5).map((path) => [path, actual.get(path)]);
  expect(shown).toEqual(shown.map(([path]) => [path, files.get(path as string)]));
}

beforeAll(async () => {
  // The VM prints runtime errors, which are expected here.
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { chain } = await runPrograms(programs);
  printed.mockRestore();
  // A deploy in a fork has the interface of another deploy.
  lines = allLines(chain).map(withTrueInterfaces);
  const expected = new Site(undefined, folder);
  const start = performance.now();
  await expected.index();
  wholeMs = performance.now() - start;
  files = await expected.files();
}, limitOf(5));

test(`several runs build the same site as one, SEED=${SEED}`, { timeout: limitOf(15) }, async () => {
  const site = new Site('');
  const size = Math.ceil(lines.length / RUNS);
  for (let from = 0; from < lines.length; from += size) {
    appendFileSync(join(site.cwd, 'chain.tsv'), lines.slice(from, from + size).join(''));
    await site.index();
  }
  await expectSame(site);
});

test.each(['SIGINT', 'SIGKILL'] as const)(
  `runs that end by %s, SEED=${SEED}`,
  { timeout: limitOf(15) },
  async (signal) => {
    const site = new Site();
    for (let stops = 0; stops < RUNS - 1; stops++) await site.stop(signal);
    await site.index();
    await expectSame(site);
  },
);

test(`a run without the VM before one with it, SEED=${SEED}`, { timeout: limitOf(15) }, async () => {
  const site = new Site(lines.slice(0, lines.length / 2).join(''));
  await site.index();
  writeFileSync(join(site.cwd, 'chain.tsv'), lines.join(''));
  await site.index('--no-vm');
  await site.index();
  await expectSame(site);
});

test(`one thread of the VM, SEED=${SEED}`, { timeout: limitOf(15) }, async () => {
  const site = new Site();
  const args = ['index', '--archive', 'chain.tsv', '--offline'];
  await site.run(args, { startedBy: ['taskset', '-c', '0'] });
  await expectSame(site);
});
