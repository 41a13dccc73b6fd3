// This script checks shards over a large archive: node test/real-data/check-shards.ts ARCHIVE [--shards 1,2,3,8] The
// archive is indexed and built as a whole, then in so many shards, one of which is killed and run again, and merged:
// all files together must be those of the whole, byte by byte.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CliResult, endOf, spawnCli } from '../support/run-cli.ts';
import { filesBelow } from '../support/sample.ts';
import { countChecks } from './count-checks.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { shards: { type: 'string', default: '1,2,3,8' }, temp: { type: 'string', default: tmpdir() } },
});
const [archive] = positionals.map((path) => resolve(path));
if (archive === undefined || !existsSync(archive)) {
  console.error('usage: node test/real-data/check-shards.ts ARCHIVE [--shards 1,2,3,8] [--temp FOLDER]');
  process.exit(1);
}

const { check, finish } = countChecks();
const folder = mkdtempSync(join(values.temp, 'stxpress-shards-'));

async function stxpress(args: readonly string[], killAfterMs?: number): Promise<CliResult> {
  const child = spawnCli([...args, '--quiet'], { cwd: folder });
  child.stdin?.end();
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const end = await endOf(child);
  clearTimeout(timer);
  return end;
}

async function mustRun(...args: string[]): Promise<number> {
  const start = performance.now();
  const { status, stderr } = await stxpress(args);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

const indexing = (db: string) => ['index', '--db', db, '--archive', archive, '--offline', '--nft', 'images'];
const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Folders that together are a site. */
function filesOf(folders: readonly string[]): Map<string, string> {
  return new Map(
    folders.flatMap((out) => filesBelow(join(folder, out)).map((path) => [path, join(folder, out, path)] as const)),
  );
}

try {
  const indexMs = await mustRun(...indexing('whole.sqlite'));
  const buildMs = await mustRun('build', '--db', 'whole.sqlite', '--out', 'whole');
  const whole = filesOf(['whole']);
  console.log(`whole: index ${inSeconds(indexMs)}, build ${inSeconds(buildMs)}, ${whole.size} files`);
  for (const of of values.shards.split(',').map(Number)) {
    let [indexed, built] = [0, 0];
    const outs: string[] = [];
    for (let number = 1; number <= of; number++) {
      const [db, out] = [`${number}-of-${of}.sqlite`, `${number}-of-${of}`];
      const [index, build] = [
        [...indexing(db), '--shard', `${number}/${of}`],
        ['build', '--db', db, '--out', out],
      ];
      // The last one dies in both commands, and is run again alone.
      if (number === of) for (const args of [index, build]) await stxpress(args, 500 + Math.random() * (indexMs / 2));
      indexed = Math.max(indexed, await mustRun(...index));
      built = Math.max(built, await mustRun(...build));
      outs.push(out);
      rmSync(join(folder, db), { force: true });
    }
    const merged = `merged-${of}`;
    const mergeMs = await mustRun('merge', '--exports', 'data/shards', '--out', merged);
    const union = filesOf([...outs, merged]);
    const different = [...whole].find(([path, file]) => {
      const other = union.get(path);
      return other === undefined || !readFileSync(file).equals(readFileSync(other));
    });
    check(`of ${of} shards: the same bytes`, different === undefined, different?.[0]);
    check(`of ${of} shards: no other files`, union.size === whole.size, `${union.size}`);
    console.log(
      `${of} shards: the slowest index ${inSeconds(indexed)}, build ${inSeconds(built)}; merge ${inSeconds(mergeMs)}`,
    );
    for (const out of [...outs, merged, 'data']) rmSync(join(folder, out), { recursive: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
finish();
