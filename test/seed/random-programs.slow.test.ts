// Tests that an index of a seed proves the same values of random programs as an index of the archive.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runIndex } from '#indexer/run-index.ts';
import { makeSeed } from '#seed/make-seed.ts';
import { openIndex } from '#store/index-database.ts';
import { renderFull } from '../reliability/ledger/rendered-site.ts';
import { makeProgram } from '../reliability/tip/generate/make-program.ts';
import { arrange, MODES } from '../reliability/tip/modes.ts';
import { allLines } from '../reliability/tip/served-site.ts';
import type { SimnetChain } from '../reliability/tip/simnet-chain.ts';
import { runPrograms } from '../reliability/tip/world.ts';
import { indexOptions, offline } from '../support/index-options.ts';
import { Random } from '../support/random.ts';
import { seedOptions } from '../support/seeds.ts';
import { silentReporter as reporter } from '../support/silent-reporter.ts';
import { limitOf, rounds } from '../support/soak.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { withTrueInterfaces } from '../support/true-interfaces.ts';

const PROGRAMS_OF_A_CHAIN = 7;
const SIZES = { range: 16, recent: 5 };
/** Modes whose chains differ. */
const CONTRACT = 'extended/v1/contract/';
/** Matches responses about one contract or token. */
const COMPARED = /^(?:extended\/v1\/contract|v2\/contracts\/interface|metadata\/v1\/(?:ft|nft|sft|status))\/S/;
const NAMES = ['one run', 'epochs', 'flips'];

/** Indexes a growing archive in several runs, and makes a seed after each. Compares with an index of these seeds. */
async function compareSites(chain: SimnetChain, random: Random, seed: number): Promise<void> {
  const folder = tempFolder();
  const [archive, out] = [join(folder, 'chain.tsv'), join(folder, 'seed')];
  const signal = new AbortController().signal;
  await using store = await openIndex(join(folder, 'a.sqlite'));
  await using other = await openIndex(join(folder, 'b.sqlite'));
  const options = { vm: true, documents: offline(folder).documents, finalBlocks: 20 };
  // A deploy in a fork has the interface of another deploy.
  const lines = allLines(chain).map(withTrueInterfaces);
  const cuts = random.list(2, () => random.within(1, lines.length)).sort((left, right) => left - right);
  for (const cut of [...cuts, lines.length]) {
    writeFileSync(archive, lines.slice(0, cut).join(''));
    await runIndex(store, indexOptions({ ...options, archives: [archive] }));
    await makeSeed(store, { archives: [archive], out, sizes: SIZES, reporter, signal });
    await runIndex(other, indexOptions({ ...options, seed: seedOptions(out) }));
  }
  const [expected, site] = [await renderFull(store), await renderFull(other)];
  // An index of a seed lacks contracts that only orphaned blocks below the final parts deploy.
  const orphans = [...expected].flatMap(([path, body]) =>
    path.startsWith(CONTRACT) && body.includes('"canonical":false') ? path.slice(CONTRACT.length) : [],
  );
  const isOfOrphan = (path: string) => orphans.some((id) => path.includes(id) || path.includes(id.replace('.', '/')));
  for (const [path, body] of expected)
    if (COMPARED.test(path) && !isOfOrphan(path)) expect([path, site.get(path)], `SEED=${seed}`).toEqual([path, body]);
}

beforeAll(() => {
  // The VM prints runtime errors, which are expected here.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
});

test.each(MODES.filter(({ name }) => NAMES.includes(name)))(
  'proves the same values: $name',
  { timeout: limitOf(10) },
  async (mode) => {
    for (const seed of rounds(1)) {
      const random = new Random(seed);
      const programs = Array.from({ length: mode.programs ?? PROGRAMS_OF_A_CHAIN }, (_, index) =>
        arrange(makeProgram(`s${index}`, random.below(2 ** 31)), mode, random),
      );
      await compareSites((await runPrograms(programs, mode)).chain, random, seed);
    }
  },
);
