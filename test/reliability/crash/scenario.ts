// A scenario is a command that is interrupted: its initial folder, its operations, and checks for every interruption.
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runWarm } from '../../support/run-warm.ts';
import { dumpDatabase } from './databases.ts';
import { checkSite, differingPaths, type Tree, treeDifferences, treeOf } from './site-state.ts';
import { runPlain, runWatched } from './watched-run.ts';

const INDEX = 'data/index.sqlite';
const IMAGES = 'data/images';
const SITE = 'dist';
const HOSTS = 'dist-hosts';
const RECORD = 'dist/.stxpress/record.sqlite';
const LEFTOVERS = ['dist/.stxpress/staging', 'dist/.stxpress/changes.ndjson.new'];
const CHANGES = 'dist/.stxpress/changes.ndjson';

/** A command with its operations and its result without interruptions. */
export type Scenario = Awaited<ReturnType<typeof makeScenario>>;

/** Runs the command without interruptions, and records it. */
export async function makeScenario(
  { library, root }: { readonly library: string; readonly root: string },
  name: string,
  before: string,
  args: readonly string[],
  { withData = false, revisions = true } = {},
) {
  const work = join(root, 'work', name);
  reset({ before, work });
  const run = await runWatched(library, args, { cwd: work, withData });
  if (run.status !== 0) throw new Error(`${name} ended with ${run.status}: ${run.stderr}`);
  return {
    library,
    name,
    args,
    /** The initial folder of the command, which is not changed. */
    before,
    /** The working folder, which is always the same, since some files contain paths. */
    work,
    operations: run.operations,
    site: { before: treeOf(join(before, SITE)), after: treeOf(join(work, SITE)) },
    finished: stateOf(work, revisions),
    /** True if every run gives the index the same revisions. */
    revisions,
    /** All files after the run. */
    left: treeOf(work),
  };
}

/** Returns the state that must not depend on interruptions: files by path, and rows of databases by table. */
function stateOf(work: string, revisions: boolean): Tree {
  const state = new Map<string, string>();
  for (const folder of [SITE, HOSTS, IMAGES])
    for (const [path, bytes] of treeOf(join(work, folder))) state.set(`${folder}/${path}`, bytes);
  for (const file of [INDEX, RECORD])
    if (existsSync(join(work, file)))
      for (const [table, rows] of Object.entries(dumpDatabase(join(work, file), revisions)))
        state.set(`${file}: ${table}`, rows.join('\n'));
  return state;
}

/** Empties the working folder, and copies the initial folder into it. */
export function reset({ before, work }: Pick<Scenario, 'before' | 'work'>): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  cpSync(before, work, { recursive: true, preserveTimestamps: true });
}

/** Returns problems that a kill or a power cut must not cause at any instant. */
export function checkInterrupted({ work, site }: Scenario, by: 'kill' | 'power cut'): string[] {
  return [...checkSite(site, join(work, SITE), by === 'kill'), ...findLostCopies(work)];
}

/** Finds files of images that have a row in the index but are missing or damaged in the folder. */
function findLostCopies(work: string): string[] {
  if (!existsSync(join(work, IMAGES))) return [];
  // Reads a copy, because opening an index after a power cut changes it.
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

/** Runs the command to its end after an interruption. Returns the problems of the run and of its result. */
export async function finish({ args, work, finished, revisions }: Scenario, isPlain: boolean): Promise<string[]> {
  // A run in this process is faster.
  const { status, stderr } = await (isPlain ? runPlain(args, work) : runWarm(args, { cwd: work }));
  const problems = status === 0 ? [] : [`the next run ended with ${status}: ${stderr}`];
  problems.push(...treeDifferences(stateOf(work, revisions), finished));
  for (const path of LEFTOVERS) if (existsSync(join(work, path))) problems.push(`${path} was not removed`);
  return problems;
}

/** Returns changed paths that the list of changes lacks. */
export function missingInChanges({ work, site: { before, after } }: Scenario): string[] {
  const file = join(work, CHANGES);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const listed = new Set(lines.map((line) => (JSON.parse(line) as { path: string }).path));
  return differingPaths(before, after).filter((path) => !listed.has(path));
}
