// This script checks shards over a large archive: node test/real-data/check-shards.ts ARCHIVE [1,2,3,8]
// The archive is indexed and built as a whole, then in so many shards, one of which is killed and run again, and merged:
// all files together must be those of the whole, byte by byte.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli.ts';
import { filesBelow } from '../support/sample.ts';
import { runChecks } from './checks.ts';

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

await runChecks(
  'check-shards.ts ARCHIVE [1,2,3,8]',
  '',
  async ({ given, more: [counts = '1,2,3,8'], work, ...rest }) => {
    const { check, run } = rest;
    /** How long it takes. */
    const mustRun = async (...args: string[]) => {
      const start = performance.now();
      const { status, stderr } = await run(...args, '--quiet');
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
      return performance.now() - start;
    };
    const indexing = (db: string) => ['index', '--db', db, '--archive', given, '--offline', '--nft', 'images'];
    /** Folders that together are a site. */
    const filesOf = (folders: readonly string[]) =>
      new Map(
        folders.flatMap((out) => filesBelow(join(work, out)).map((path) => [path, join(work, out, path)] as const)),
      );

    const indexMs = await mustRun(...indexing('whole.sqlite'));
    const buildMs = await mustRun('build', '--db', 'whole.sqlite', '--out', 'whole');
    const whole = filesOf(['whole']);
    console.log(`whole: index ${inSeconds(indexMs)}, build ${inSeconds(buildMs)}, ${whole.size} files`);
    for (const of of counts.split(',').map(Number)) {
      let [indexed, built] = [0, 0];
      const outs: string[] = [];
      for (let number = 1; number <= of; number++) {
        const [db, out] = [`${number}-of-${of}.sqlite`, `${number}-of-${of}`];
        const [index, build] = [
          [...indexing(db), '--shard', `${number}/${of}`],
          ['build', '--db', db, '--out', out],
        ];
        // The last one dies in both commands, and is run again alone.
        if (number === of)
          for (const args of [index, build])
            await runCli(args, { cwd: work, killAfterMs: 500 + Math.random() * (indexMs / 2) });
        indexed = Math.max(indexed, await mustRun(...index));
        built = Math.max(built, await mustRun(...build));
        outs.push(out);
        rmSync(join(work, db), { force: true });
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
      for (const out of [...outs, merged, 'data']) rmSync(join(work, out), { recursive: true });
    }
  },
);
