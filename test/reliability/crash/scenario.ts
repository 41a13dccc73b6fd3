// A command that is killed or cut off: the folder that it starts from, what it does to it, and the checks that hold
// whatever happened on the way.
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkIntegrity, differenceOf, dumpDatabase } from './databases.ts';
import { checkSite, treeDifferences, treeOf } from './site-state.ts';
import { runWatched } from './watched-run.ts';

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
  library: string,
  root: string,
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
    name,
    args,
    /** The folder that the command starts from; it is not changed. */
    before,
    /** Where it is run: always the same, since paths are in some of the files. */
    work,
    operations: run.operations,
    site: { before: treeOf(join(before, SITE)), after: treeOf(join(work, SITE)) },
    hosts: { before: treeOf(join(before, HOSTS)), after: treeOf(join(work, HOSTS)) },
    images: treeOf(join(work, IMAGES)),
    index: dumpDatabase(join(work, INDEX), revisions),
    /** Whether the revisions of the index are those of every other run. */
    revisions,
    record: existsSync(join(work, RECORD)) ? dumpDatabase(join(work, RECORD)) : undefined,
  };
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

/** What must hold when a run, whatever came before it, has ended well. */
export function checkFinished({ work, site, hosts, images, index, record, revisions }: Scenario): string[] {
  const problems: string[] = [];
  for (const file of [INDEX, RECORD]) {
    const integrity = checkIntegrity(join(work, file));
    if (integrity !== 'ok') problems.push(`${file}: ${integrity}`);
  }
  const ofIndex = differenceOf(dumpDatabase(join(work, INDEX), revisions), index);
  if (ofIndex !== undefined) problems.push(`the index: ${ofIndex}`);
  const ofRecord = record && differenceOf(dumpDatabase(join(work, RECORD)), record);
  if (ofRecord !== undefined) problems.push(`the build record: ${ofRecord}`);
  problems.push(...treeDifferences(treeOf(join(work, SITE)), site.after));
  problems.push(...treeDifferences(treeOf(join(work, HOSTS)), hosts.after).map((text) => `hosts: ${text}`));
  problems.push(...treeDifferences(treeOf(join(work, IMAGES)), images).map((text) => `images: ${text}`));
  for (const path of LEFTOVERS) if (existsSync(join(work, path))) problems.push(`${path} is left behind`);
  return problems;
}

/** Paths that differ from before and are not in the list of changes, as its readers would miss them. */
export function missingInChanges({ work, site: { before, after } }: Scenario): string[] {
  const file = join(work, CHANGES);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const listed = new Set(lines.map((line) => (JSON.parse(line) as { path: string }).path));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return changed.filter((path) => !listed.has(path));
}
