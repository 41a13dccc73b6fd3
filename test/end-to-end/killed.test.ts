import { once } from 'node:events';
import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { blockLine, deployJson } from '../support/observer-lines.ts';
import { spawnCli } from '../support/run-cli.ts';
import { runWarm } from '../support/run-warm.ts';
import { readTree, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const CHAIN_ID = 0x53545850;
const BLOCKS = 80;
const CONTRACTS_PER_BLOCK = 3;
const KILLS = process.env.SOAK === '1' ? 60 : 3;

const folder = tempFolderForFile();
const archive = join(folder, 'chain.tsv');
let tree: Map<string, string>;

/** A pseudo-random number in [0, 1) of a seed, so that a failure can be repeated. */
const random = (seed: number) => {
  const value = Math.sin(seed * 12.9898) * 43758.5453;
  return value - Math.floor(value);
};

/** Starts a command and kills it after a while; a command that was quicker has done its work. */
const killAfter = async (args: string[], cwd: string, milliseconds: number) => {
  const child = spawnCli(args, { cwd });
  const closed = once(child, 'close');
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  await closed;
  clearTimeout(timer);
};

beforeAll(async () => {
  let nonce = 0;
  for (let height = 1; height <= BLOCKS; height++) {
    const transactions = Array.from({ length: CONTRACTS_PER_BLOCK }, () =>
      deployJson(`contract-${nonce}`, `(define-constant n u${nonce})`, {
        chainId: CHAIN_ID,
        clarityVersion: 2,
        nonce: nonce++,
      }),
    );
    appendFileSync(archive, blockLine({ id: height, parent: height - 1, height, transactions }));
  }
  expect(
    await runWarm(['index', '--archive', SAMPLE_ARCHIVE, '--archive', archive, '--no-fetch'], { cwd: folder }),
  ).toMatchObject({ status: 0 });
  expect(await runWarm(['build'], { cwd: folder })).toMatchObject({ status: 0 });
  tree = readTree(join(folder, 'dist'));
  expect(tree.size).toBeGreaterThan(BLOCKS * CONTRACTS_PER_BLOCK);
});

describe('killed', () => {
  test('behavior: an index run that is killed at any instant goes on as if it had not been', async () => {
    const cwd = tempFolder();
    const args = ['index', '--archive', SAMPLE_ARCHIVE, '--archive', archive, '--no-fetch'];
    for (let kill = 0; kill < KILLS; kill++) await killAfter(args, cwd, 150 + random(kill) * 1_500);
    expect(await runWarm(args, { cwd })).toMatchObject({ status: 0 });
    const db = new Database(join(cwd, 'data/index.sqlite'), { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
    await runWarm(['build'], { cwd });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);
  });

  test('behavior: so does a build, the first one and a change', async () => {
    const cwd = tempFolder();
    cpSync(join(folder, 'data'), join(cwd, 'data'), { recursive: true });
    for (let kill = 0; kill < KILLS; kill++) await killAfter(['build'], cwd, 120 + random(kill) * 600);
    expect(await runWarm(['build'], { cwd })).toMatchObject({ status: 0 });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);

    for (let kill = 0; kill < KILLS; kill++) {
      await killAfter(['build', '--only', 'tokens'], cwd, 120 + random(100 + kill) * 400);
      await killAfter(['build'], cwd, 120 + random(200 + kill) * 400);
    }
    expect(await runWarm(['build'], { cwd })).toMatchObject({ status: 0 });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);
    expect(await runWarm(['build', '--verify'], { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(' 0 mended'),
    });
  });

  test('behavior: what a killed build had staged is not left behind', async () => {
    const cwd = tempFolder();
    cpSync(join(folder, 'data'), join(cwd, 'data'), { recursive: true });
    await runWarm(['build'], { cwd });
    const staging = join(cwd, 'dist/.stxpress/staging/metadata');
    cpSync(join(folder, 'data'), staging, { recursive: true });
    writeFileSync(join(staging, 'half'), '{');
    await runWarm(['build', '--full'], { cwd });
    expect(readTree(join(cwd, 'dist'))).toEqual(tree);
    rmSync(join(cwd, 'dist'), { recursive: true });
  });
});
