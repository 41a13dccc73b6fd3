// Defines a scenario: a command to interrupt, with its initial folder, its operations, and the checks after an
// interruption.
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runWarm } from '../../support/run-cli.ts';
import { dumpDatabase } from './databases.ts';
import { checkSite, type Tree, treeDifferences, treeOf } from './site-state.ts';
import { runWatched } from './watched-run.ts';

const INDEX = 'data/index.sqlite';
const IMAGES = 'data/images';
const SITE = 'dist';
const HOSTS = 'dist-hosts';
const RECORD = 'dist/.stxpress/record.sqlite';
const STAGING = 'dist/.stxpress/staging';

/** A command with its operations and its result in a run without interruptions. */
export type Scenario = Awaited<ReturnType<typeof makeScenario>>;

/** Runs the command without interruptions, and records its operations and its result. */
export async function makeScenario(
  { library, root }: { readonly library: string; readonly root: string },
  name: string,
  before: string,
  args: readonly string[],
) {
  const work = join(root, 'work', name);
  reset({ before, work });
  const run = await runWatched(library, args, work);
  if (run.status !== 0) throw new Error(`${name} ended with ${run.status}: ${run.stderr}`);
  return {
    name,
    args,
    /** The initial folder of the command. Tests only copy it. */
    before,
    /** The folder in which the command runs. It is the same for all runs, since some files contain its path. */
    work,
    operations: run.operations,
    site: { before: treeOf(join(before, SITE)), after: treeOf(join(work, SITE)) },
    finished: stateOf(work),
    /** All files after the run. */
    left: treeOf(work),
  };
}

/**
 * Returns the state that interruptions must not change: the bytes of files by path, and the rows of databases by table.
 */
function stateOf(work: string): Tree {
  const state = new Map<string, string>();
  for (const folder of [SITE, HOSTS, IMAGES])
    for (const [path, bytes] of treeOf(join(work, folder))) state.set(`${folder}/${path}`, bytes);
  for (const file of [INDEX, RECORD])
    if (existsSync(join(work, file)))
      for (const [table, rows] of Object.entries(dumpDatabase(join(work, file))))
        state.set(`${file}: ${table}`, rows.join('\n'));
  return state;
}

/** Empties the working folder, and copies the initial folder into it. */
function reset({ before, work }: Pick<Scenario, 'before' | 'work'>): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  cpSync(before, work, { recursive: true, preserveTimestamps: true });
}

/** Returns the problems of an interrupted run that a power cut may not cause. */
export function checkInterrupted({ work, site }: Scenario): string[] {
  return [...checkSite(site, join(work, SITE)), ...findLostCopies(work)];
}

/** Returns a problem for each image file with a row in the index that is missing or damaged on disk. */
function findLostCopies(work: string): string[] {
  if (!existsSync(join(work, IMAGES))) return [];
  // Opens a copy of the index, because opening the index after a power cut changes it.
  const opened = `${work}-opened`;
  reset({ before: join(work, 'data'), work: opened });
  const rows = dumpDatabase(join(opened, 'index.sqlite')).image_file ?? [];
  const files = rows.map((row) => JSON.parse(row) as { name: string; sha256: string });
  const isLost = ({ name, sha256 }: { name: string; sha256: string }) => {
    const path = join(opened, 'images', name);
    return !existsSync(path) || hash('sha256', readFileSync(path), 'hex') !== sha256;
  };
  return files.filter(isLost).map(({ name }) => `the index has a row for ${name}, but the file is lost`);
}

/** Runs the command to its end after an interruption. Returns the problems of this run and of the resulting files. */
export async function finish({ args, work, finished }: Scenario): Promise<string[]> {
  const { status, stderr } = await runWarm(args, { cwd: work });
  const problems = status === 0 ? [] : [`the next run ended with ${status}: ${stderr}`];
  problems.push(...treeDifferences(stateOf(work), finished));
  if (existsSync(join(work, STAGING))) problems.push(`${STAGING} was not removed`);
  return problems;
}
