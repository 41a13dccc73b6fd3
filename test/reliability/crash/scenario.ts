// A command that is killed or cut off: the folder that it starts from, what it does to it, and the checks that hold
// whatever happened on the way.
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

/** What a command does, and what it left when nothing disturbed it. */
export type Scenario = Awaited<ReturnType<typeof makeScenario>>;

/** Runs the command undisturbed. */
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
    /** The folder that the command starts from; it is not changed. */
    before,
    /** Where it is run: always the same, since paths are in some of the files. */
    work,
    operations: run.operations,
    site: { before: treeOf(join(before, SITE)), after: treeOf(join(work, SITE)) },
    finished: stateOf(work, revisions),
    /** Whether the revisions of the index are those of every other run. */
    revisions,
    /** All that the run left, byte by byte. */
    left: treeOf(work),
  };
}

/** What does not depend on what came before the run: files by their paths, and the rows of databases by their tables. */
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

/** Empties the folder of the run and copies what the command starts from into it. */
export function reset({ before, work }: Pick<Scenario, 'before' | 'work'>): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  cpSync(before, work, { recursive: true, preserveTimestamps: true });
}

/** What must hold at any instant, after a kill or a power cut. */
export function checkInterrupted({ work, site }: Scenario, by: 'kill' | 'power cut'): string[] {
  return [...checkSite(site, join(work, SITE), by === 'kill'), ...findLostCopies(work)];
}

/** Files of images that the index has rows of, and that are not in the folder as they were written. */
function findLostCopies(work: string): string[] {
  if (!existsSync(join(work, IMAGES))) return [];
  // A copy: opening an index that a cut left changes it.
  const seen = `${work}-seen`;
  reset({ before: join(work, 'data'), work: seen });
  const rows = dumpDatabase(join(seen, 'index.sqlite')).image_file ?? [];
  const files = rows.map((row) => JSON.parse(row) as { name: string; sha256: string });
  const isLost = ({ name, sha256 }: { name: string; sha256: string }) => {
    const path = join(seen, 'images', name);
    return !existsSync(path) || hash('sha256', readFileSync(path), 'hex') !== sha256;
  };
  return files.filter(isLost).map(({ name }) => `the index has a row for ${name}, which is lost`);
}

/** Runs the command to its end, whatever came before; every problem with that, and with what it leaves. */
export async function finish({ args, work, finished, revisions }: Scenario, isPlain: boolean): Promise<string[]> {
  // One in this process is quicker.
  const { status, stderr } = await (isPlain ? runPlain(args, work) : runWarm(args, { cwd: work }));
  const problems = status === 0 ? [] : [`the next run ended with ${status}: ${stderr}`];
  problems.push(...treeDifferences(stateOf(work, revisions), finished));
  for (const path of LEFTOVERS) if (existsSync(join(work, path))) problems.push(`${path} is left behind`);
  return problems;
}

/** Paths that differ from before and are not in the list of changes, as its readers would miss them. */
export function missingInChanges({ work, site: { before, after } }: Scenario): string[] {
  const file = join(work, CHANGES);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const listed = new Set(lines.map((line) => (JSON.parse(line) as { path: string }).path));
  return differingPaths(before, after).filter((path) => !listed.has(path));
}
