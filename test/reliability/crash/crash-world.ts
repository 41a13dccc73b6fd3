// Prepares the folders of the crash tests: an index of the sample and of a generated chain, a build of this index, and
// a later state of the index.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { okOf, runWarm } from '../../support/run-cli.ts';
import { SAMPLE_ARCHIVE } from '../../support/sample.ts';
import { makeChain } from './make-chain.ts';
import { makeScenario, type Scenario } from './scenario.ts';
import { compileLibrary } from './watched-run.ts';

type CrashWorld = Awaited<ReturnType<typeof makeCrashWorld>>;

/**
 * Makes four initial folders: empty, with an index but no build, with images that are not copied yet, and with a build
 * of an earlier index.
 */
export async function makeCrashWorld(root: string) {
  const library = compileLibrary(root);
  const chain = makeChain(root);
  const make = (name: string) => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  const [empty, pictured, indexed, built] = [make('empty'), make('pictured'), make('indexed'), make('built')];
  const run = async (args: readonly string[], cwd = built) => okOf(await runWarm(args, { cwd }));
  const archives = [SAMPLE_ARCHIVE, ...chain.archives].flatMap((path) => ['--archive', path]);
  await run(['index', ...archives, '--offline']);
  await run(['build']);
  await run(['index', '--archive', chain.later, '--offline', '--no-vm']);
  await run(['index', '--archive', chain.pictured, '--offline', '--no-images'], pictured);
  cpSync(join(built, 'data'), join(indexed, 'data'), { recursive: true });
  return { library, root, chain, empty, pictured, indexed, built };
}

const BUILDS = ['first build', 'changed build', 'smaller build', 'build for a host'] as const;
export const SCENARIOS = ['index', 'images', ...BUILDS] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

/** Runs the command of every scenario without interruptions. */
export async function recordScenarios(world: CrashWorld): Promise<Readonly<Record<ScenarioName, Scenario>>> {
  const { chain, empty, pictured, indexed, built } = world;
  const archives = chain.archives.flatMap((path) => ['--archive', path]);
  const commands: Readonly<Record<ScenarioName, readonly [before: string, ...args: string[]]>> = {
    index: [empty, 'index', ...archives, '--offline', '--no-vm'],
    images: [pictured, 'index', '--offline', '--concurrency', '1'],
    'first build': [indexed, 'build'],
    'changed build': [built, 'build'],
    'smaller build': [built, 'build', '--only', 'tokens'],
    'build for a host': [built, 'build', '--hosts', 'nginx'],
  };
  const scenarios: Partial<Record<ScenarioName, Scenario>> = {};
  for (const name of SCENARIOS) {
    const [before, ...args] = commands[name];
    scenarios[name] = await makeScenario(world, name, before, args);
  }
  return scenarios as Record<ScenarioName, Scenario>;
}
