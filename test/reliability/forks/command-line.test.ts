// Random trees through the command line: an archive in pieces, with a build behind each, ends in the same files as the
// whole archive at once, and they say what the model says. FORKS_SEED makes other trees; SOAK=1 makes 20 times as many.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../support/random.ts';
import { runWarm } from '../../support/run-warm.ts';
import { readTree } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type ForkBlock, formatArrivals } from './arrivals.ts';
import { expectedNames } from './expected-names.ts';
import { contractIdOf, lineOf, nameOf } from './fork-events.ts';
import { makeArrivals } from './make-arrivals.ts';
import { modelOf } from './model.ts';

const SEED = Number(process.env.FORKS_SEED ?? 1);
const TREES = 2 * (process.env.SOAK === '1' ? 20 : 1);

/** Runs a command that must end well. */
async function run(cwd: string, ...args: readonly string[]): Promise<void> {
  const { status, stderr } = await runWarm(args, { cwd });
  expect(status, stderr).toBe(0);
}

/** Indexes and builds after each piece; the last site. */
async function siteOf(pieces: readonly (readonly ForkBlock[])[]): Promise<string> {
  const cwd = tempFolder();
  const archives: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    archives.push('--archive', `piece-${at}.tsv`);
    writeFileSync(join(cwd, `piece-${at}.tsv`), piece.map(lineOf).join(''));
    await run(cwd, 'index', '--offline', ...archives.slice(-2));
    await run(cwd, 'build');
  }
  return join(cwd, 'dist');
}

function differences(site: string, arrived: readonly ForkBlock[]): string[] {
  const found: string[] = [];
  const { served } = modelOf(arrived);
  const names = expectedNames(served);
  const read = (path: string) => JSON.parse(readFileSync(join(site, path), 'utf8'));
  for (const [contract, { canonical, height, deploy, clarityVersion }] of served) {
    const info = read(`extended/v1/contract/${contractIdOf(contract)}`);
    const said = [info.canonical, info.block_height, nameOf(info.tx_id), info.clarity_version].join(' ');
    const expected = [canonical, height, deploy, clarityVersion].join(' ');
    if (said !== expected) found.push(`${contract} is ${said}, the model's ${expected}`);
    const name = names.get(contract);
    if (name === undefined) continue;
    const token = read(`metadata/v1/ft/${contractIdOf(contract)}`);
    if (`${token.symbol} ${token.name ?? 'no name'}` !== name)
      found.push(`${contract} is ${JSON.stringify(token)}, the model's ${name}`);
  }
  return found;
}

describe('forks through the command line', () => {
  test.each(Array.from({ length: TREES }, (_, tree) => tree))(
    'behavior: tree %d',
    { timeout: 120_000 },
    async (tree) => {
      const seed = SEED * 40_000_003 + tree;
      const arrivals = makeArrivals(seed, { carrying: true });
      const blocks = arrivals.flat();
      const cut = new Random(seed).within(1, blocks.length);
      const pieces = [blocks.slice(0, cut), blocks.slice(cut)].filter((piece) => piece.length > 0);
      const [whole, cutUp] = [await siteOf([blocks]), await siteOf(pieces)];
      expect(differences(whole, blocks), formatArrivals(arrivals)).toEqual([]);
      expect(readTree(cutUp), `${formatArrivals(arrivals)}, cut at ${cut}`).toEqual(readTree(whole));
    },
  );
});
