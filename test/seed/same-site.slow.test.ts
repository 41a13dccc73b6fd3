// Tests that an index of a seed builds the same site as an index of the archive that the seed was made from.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IndexOptions } from '#indexer/index-options.ts';
import { FailureError } from '#model/failure.ts';
import type { SeedSizes } from '#seed/plan-seed.ts';
import type { ForkBlock } from '../reliability/forks/arrivals.ts';
import { lineOf } from '../reliability/forks/fork-events.ts';
import { makeArrivals } from '../reliability/forks/make-arrivals.ts';
import { indexInto, offline } from '../support/index-options.ts';
import { Random } from '../support/random.ts';
import { SAMPLE_ARCHIVE } from '../support/sample.ts';
import { indexSeedInto, SMALL, seedOf, siteOf } from '../support/seeds.ts';
import { limitOf, rounds } from '../support/soak.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { withTrueInterfaces } from '../support/true-interfaces.ts';

const TREES = 10;

interface Growing {
  /** The text of the archive at each run. Each text begins with the text before it. */
  readonly archives: readonly string[];
  readonly options: Partial<IndexOptions>;
  readonly sizes: SeedSizes;
}

/** Sizes without final parts, so that a seed has all forks. */
const NO_FINAL = { range: 1e6, recent: 2 };
/** Matches files that only depend on canonical blocks. */
const OF_CANONICAL = /^(extended\/v1\/contract|v2\/contracts\/interface|metadata\/v1\/ft)\/SP/;

/**
 * Indexes a growing archive, and makes a seed after each run. An index that reads the seed each time, and one that
 * reads only the last seed, must build the same site, except for orphaned contracts below final blocks. Returns
 * undefined, or how the sites differ.
 */
async function compareSites({ archives, options, sizes }: Growing): Promise<string | undefined> {
  const folder = tempFolder();
  const [path, out] = [join(folder, 'chain.tsv'), join(folder, 'seed')];
  const [db, often, once] = ['db', 'often', 'once'].map((name) => join(folder, `${name}.sqlite`)) as [
    string,
    string,
    string,
  ];
  for (const archive of archives) {
    writeFileSync(path, archive);
    await indexInto(db, { ...options, archives: [path] });
    await seedOf({ db, archives: [path], out, sizes });
    await indexSeedInto(often, out, options);
  }
  await indexSeedInto(once, out, options);
  const expected = await siteOf(db);
  for (const [name, other] of [
    ['often', often],
    ['once', once],
  ] as const) {
    const site = await siteOf(other);
    const isCompared = (file: string) =>
      sizes === NO_FINAL || (OF_CANONICAL.test(file) && !expected.get(file)?.includes('"canonical":false'));
    for (const file of new Set([...expected.keys(), ...site.keys()]))
      if (isCompared(file) && expected.get(file) !== site.get(file))
        return `${name}: ${file} has ${site.get(file)?.length} characters instead of ${expected.get(file)?.length}`;
  }
  return undefined;
}

test('the bundled sample, with values of the VM', async () => {
  const folder = tempFolder();
  const [db, other, out] = ['a.sqlite', 'b.sqlite', 'seed'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const options = { vm: true, ...offline(folder) };
  await indexInto(db, { ...options, archives: [SAMPLE_ARCHIVE] });
  const { manifest } = await seedOf({ db, archives: [SAMPLE_ARCHIVE], out });
  expect(manifest.parts.length).toBeGreaterThan(2);
  await indexSeedInto(other, out, options);
  expect(await siteOf(other)).toEqual(await siteOf(db));
});

/** Returns the lines of an archive whose blocks arrive in the order of a random tree, without gaps. */
function linesOf(seed: number): string[] {
  const heights = new Map<string, number>();
  const linked: ForkBlock[] = [];
  for (const block of makeArrivals(seed).flat()) {
    // A parent that is not lower is impossible on a chain. With such links, the order of arrival decides what is canonical.
    if (heights.size > 0 && !((heights.get(block.parent) ?? Number.POSITIVE_INFINITY) < block.height)) continue;
    heights.set(block.name, block.height);
    linked.push(block);
  }
  // The chain begins at height 1: a seed is not made of a chain whose beginning is missing.
  const below = (linked[0]?.height ?? 1) - 1;
  return linked.map((block) => withTrueInterfaces(lineOf({ ...block, height: block.height - below })));
}

test.each([
  ['without final parts', NO_FINAL],
  ['with final parts', SMALL],
])('random trees of blocks, %s', { timeout: limitOf(12) }, async (_, sizes) => {
  let compared = 0;
  for (const seed of rounds(TREES)) {
    const random = new Random(seed);
    const lines = linesOf(seed);
    // A fork below a final block may arrive in another batch, so that it is refused in one index only.
    const finalBlocks = sizes === NO_FINAL ? 1_000 : random.within(1, 6);
    const cuts = [...random.list(3, () => random.within(1, lines.length)), lines.length].sort(
      (left, right) => left - right,
    );
    const archives = cuts.map((cut) => lines.slice(0, cut).join(''));
    try {
      const difference = await compareSites({ archives, options: { finalBlocks }, sizes });
      expect(difference, `SEED=${seed}`).toBeUndefined();
      compared++;
    } catch (error) {
      // Some trees have links that count as gaps.
      if (!(error instanceof FailureError && error.failure.code === 'seed-incomplete')) throw error;
    }
  }
  expect(compared).toBeGreaterThan(TREES / 2);
});
