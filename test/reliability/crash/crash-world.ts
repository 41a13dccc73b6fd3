// What crash tests start from: an index of the sample and a chain of their own, a build of it, and a later state of the
// index.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runWarm } from '../../support/run-warm.ts';
import { SAMPLE_ARCHIVE } from '../../support/sample.ts';
import { type FolderNode, readDisk } from './disk-nodes.ts';
import { makeChain } from './make-chain.ts';
import { makeScenario, type Scenario } from './scenario.ts';
import { compileLibrary } from './watched-run.ts';

type CrashWorld = Awaited<ReturnType<typeof makeCrashWorld>>;

/** The folders: with nothing, with an index and no build, with images to copy, with a build of an earlier index. */
export async function makeCrashWorld(root: string) {
  const library = compileLibrary(root);
  const chain = makeChain(root);
  const [empty, pictured, indexed, built] = ['empty', 'pictured', 'indexed', 'built'].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  for (const folder of [empty, pictured, indexed, built]) mkdirSync(folder);
  const run = async (args: readonly string[], folder = built) => {
    const { status, stderr } = await runWarm(args, { cwd: folder });
    if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr}`);
  };
  const archives = [SAMPLE_ARCHIVE, ...chain.archives].flatMap((path) => ['--archive', path]);
  await run(['index', ...archives, '--offline']);
  await run(['build']);
  await run(['index', '--archive', chain.later, '--offline', '--no-vm']);
  await run(['index', '--archive', chain.pictured, '--offline', '--no-images'], pictured);
  cpSync(join(built, 'data'), join(indexed, 'data'), { recursive: true });
  return { library, root, chain, empty, pictured, indexed, built };
}

export const SCENARIOS = [
  'index',
  'images',
  'first build',
  'changed build',
  'smaller build',
  'build for a host',
] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export interface RecordedWorld extends CrashWorld {
  readonly scenarios: Readonly<Record<ScenarioName, Scenario>>;
  /** What the undisturbed run of each scenario left, by path. */
  readonly left: Readonly<Record<ScenarioName, ReadonlyMap<string, string>>>;
}

/** Runs the command of every scenario undisturbed. */
export async function recordScenarios(world: CrashWorld): Promise<RecordedWorld> {
  const scenarios: Partial<Record<ScenarioName, Scenario>> = {};
  const left: Partial<Record<ScenarioName, ReadonlyMap<string, string>>> = {};
  for (const name of SCENARIOS) {
    const scenario = await scenarioOf(world, name);
    scenarios[name] = scenario;
    left[name] = bytesByPath(readDisk(scenario.work));
  }
  return { ...world, scenarios, left } as RecordedWorld;
}

export function bytesByPath(node: FolderNode, prefix = ''): Map<string, string> {
  const files = [...node.entries].flatMap(([name, entry]) =>
    entry.kind === 'file'
      ? [[prefix + name, entry.bytes.toString('latin1')] as const]
      : [...bytesByPath(entry, `${prefix}${name}/`)],
  );
  return new Map(files);
}

/** The command of a scenario, run undisturbed. */
function scenarioOf(world: CrashWorld, name: ScenarioName): Promise<Scenario> {
  const { library, root, chain, empty, pictured, indexed, built } = world;
  const make = (before: string, ...args: string[]) =>
    makeScenario(library, root, name, before, args, { withData: true });
  switch (name) {
    case 'index':
      return make(empty, 'index', ...chain.archives.flatMap((path) => ['--archive', path]), '--offline', '--no-vm');
    case 'images':
      return make(pictured, 'index', '--offline', '--concurrency', '1');
    case 'first build':
      return make(indexed, 'build');
    case 'changed build':
      return make(built, 'build');
    case 'smaller build':
      return make(built, 'build', '--only', 'tokens');
    case 'build for a host':
      return make(built, 'build', '--host', 'nginx');
  }
}
