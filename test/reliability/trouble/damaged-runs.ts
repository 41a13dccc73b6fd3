// This program damages copies of an index by seeds and runs every command on each, a line of JSON for each seed: node
// damaged-runs.ts WORLD FIRST LAST
// WORLD has `index.sqlite`, perhaps with its log, `chain.tsv`, of which it was made, and `dist`, which was built from
// it.
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../../src/cli/main.ts';
import { readTree } from '../../support/sample.ts';
import { damageFile } from './damage.ts';
import type { DamagedRun, RunOnDamage } from './damaged-index.ts';

const [world = '', first, last] = process.argv.slice(2);
const folder = join(world, `runs-${first}`);
const [db, dist] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
const right = readTree(join(world, 'dist'));
const archive = join(world, 'chain.tsv');
const COMMANDS = [
  ['status', '--db', db],
  ['build', '--full', '--db', db, '--out', dist],
  ['index', '--no-vm', '--no-fetch', '--archive', archive, '--db', db],
  ['build', '--full', '--db', db, '--out', dist],
];

// Each command listens for its end.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);
mkdirSync(folder, { recursive: true });
for (let seed = Number(first); seed <= Number(last); seed++) await damageAndRun(seed);
rmSync(folder, { recursive: true });

async function damageAndRun(seed: number): Promise<void> {
  if (!existsSync(dist)) cpSync(join(world, 'dist'), dist, { recursive: true });
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(db + suffix, { force: true });
    if (existsSync(`${world}/index.sqlite${suffix}`)) copyFileSync(`${world}/index.sqlite${suffix}`, db + suffix);
  }
  const inLog = (statSync(`${db}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const damage = damageFile(inLog ? `${db}-wal` : db, seed);
  const runs: RunOnDamage[] = [];
  for (const args of COMMANDS) {
    const { status, stderr } = await run(args);
    const isRight = sameTree(readTree(dist), right);
    runs.push({ command: args[0] as string, status, stderr, isRight });
    if (!isRight) {
      rmSync(dist, { recursive: true });
      cpSync(join(world, 'dist'), dist, { recursive: true });
    }
  }
  const result: DamagedRun = { seed, damage, runs };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

async function run(args: readonly string[]): Promise<{ status: number; stderr: string }> {
  let stderr = '';
  const writes = [process.stdout.write, process.stderr.write] as const;
  process.stdout.write = () => true;
  process.stderr.write = (text: string | Uint8Array) => {
    stderr += text.toString();
    return true;
  };
  try {
    const status = await main(args);
    return { status, stderr };
  } finally {
    [process.stdout.write, process.stderr.write] = writes;
  }
}

function sameTree(tree: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return tree.size === other.size && [...tree].every(([path, body]) => other.get(path) === body);
}
