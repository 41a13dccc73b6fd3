// Kills the commands that make a seed and that index one, at random times. The next run must produce the same bytes.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../support/random.ts';
import { runCli } from '../support/run-cli.ts';
import { siteOf } from '../support/seeds.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, deployJson } from '../support/transactions.ts';

const SEED = Number(process.env.SEED_SEED ?? 1);
const KILLS = Number(process.env.KILLS ?? 6);
const BLOCKS = 12_000;
/** The time after which a command is killed: from before it does anything to about its end. */
const MAX_MS = 1_500;

/** Writes an archive whose lower blocks are final, with a contract in every 20th block. */
function writeArchive(path: string): void {
  const lines = Array.from({ length: BLOCKS }, (_, index) => {
    const height = index + 1;
    const source = `(define-constant text "${'x'.repeat(2_000)}") ;; ${height}`;
    const transactions = height % 20 === 1 ? [deployJson(`c${height}`, source, { nonce: height })] : [];
    return blockLine({ id: height, parent: index, height, burnHeight: 900_000 + height, transactions }, 'raw');
  });
  writeFileSync(path, lines.join(''));
}

const filesOf = (folder: string) =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')] as const);

test(`makes and reads the same seed after kills, SEED_SEED=${SEED}`, { timeout: 120_000 }, async () => {
  const [cwd, random] = [tempFolder(), new Random(SEED)];
  writeArchive(join(cwd, 'chain.tsv'));
  const run = async (killAfterMs: number | undefined, ...args: string[]) => {
    const { status, stderr } = await runCli(args, { cwd, ...(killAfterMs === undefined ? {} : { killAfterMs }) });
    if (killAfterMs === undefined) expect([status, stderr]).toEqual([0, expect.not.stringContaining('bug')]);
  };
  const read = (db: string, ...source: string[]) => [
    'index',
    '--db',
    db,
    '--no-vm',
    '--no-fetch',
    '--quiet',
    '--final-blocks',
    '1000',
    ...source,
  ];
  await run(undefined, ...read('a.sqlite', '--archive', 'chain.tsv'));
  const make = ['seed', '--db', 'a.sqlite', '--archive', 'chain.tsv', '--quiet', '--out'];
  await run(undefined, ...make, 'whole');
  for (let kills = 0; kills < KILLS; kills++) {
    if (random.chance(0.3)) rmSync(join(cwd, 'killed'), { recursive: true, force: true });
    await run(random.within(100, MAX_MS), ...make, 'killed');
  }
  await run(undefined, ...make, 'killed');
  expect(filesOf(join(cwd, 'killed'))).toEqual(filesOf(join(cwd, 'whole')));

  for (let kills = 0; kills < KILLS; kills++)
    await run(random.within(100, MAX_MS), ...read('b.sqlite', '--seed', 'killed'));
  await run(undefined, ...read('b.sqlite', '--seed', 'killed'));
  expect(await siteOf(join(cwd, 'b.sqlite'))).toEqual(await siteOf(join(cwd, 'a.sqlite')));
});
