// Adds random trees of blocks to an index in random legal orders, and compares it with a reference model (model.ts). In
// some trees, the VM evaluates tokens whose names come from another contract.
//
// The arrivals in the message of a failure can be copied into KNOWN below.
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openVmIndex } from '../../support/index-of-archive.ts';
import { limitOf, rounds } from '../../support/soak.ts';
import { shrink } from '../shrink.ts';
import { type Arrivals, formatArrivals, parseArrivals } from './arrivals.ts';
import { ForkIndex } from './fork-index.ts';
import { makeArrivals } from './make-arrivals.ts';
import { firstDifference, type ReplayOptions } from './replay.ts';
import { smallerArrivals } from './smaller-arrivals.ts';

interface Mode extends ReplayOptions {
  readonly name: string;
  readonly trees: number;
}

const MODES: readonly Mode[] = [
  { name: 'deploys, supplies and gaps', finalBlocks: 10_000, trees: 60 },
  { name: 'final blocks', finalBlocks: 2, trees: 60 },
  {
    name: 'evaluating tokens after some batches',
    finalBlocks: 10_000,

    evaluates: (batch) => crc32(formatArrivals([batch])) % 5 < 2,
    trees: 12,
  },
];

async function openIndexFor({ evaluates }: ReplayOptions): Promise<ForkIndex> {
  return ForkIndex.open(evaluates && (await openVmIndex()));
}

/** Returns the message about a failure, with the smallest arrivals found that still fail. */
async function explain(index: ForkIndex, arrivals: Arrivals, mode: Mode, seed: number): Promise<string> {
  const fails = async (smaller: Arrivals) => (await firstDifference(index, smaller, mode)) !== undefined;
  const smallest = await shrink(arrivals, smallerArrivals, fails);
  return [
    `${mode.name}, SEED=${seed}`,
    `arrivals: '${formatArrivals(smallest)}'`,
    await firstDifference(index, smallest, mode),
    `before shrinking: '${formatArrivals(arrivals)}'`,
  ].join('\n');
}

describe('forks', () => {
  test.each(MODES)('agrees with the model on random trees: $name', { timeout: limitOf(15) }, async (mode) => {
    const index = await openIndexFor(mode);
    for (const seed of rounds(mode.trees)) {
      const arrivals = makeArrivals(seed);
      if ((await firstDifference(index, arrivals, mode)) !== undefined)
        expect.fail(await explain(index, arrivals, mode, seed));
      // SQLite blocks the event loop, so this pause lets the test runner work.
      if (seed % 100 === 0) await setImmediate();
    }
    await index.close();
  });

  const KNOWN = [
    ['tips at the same height, where the first wins', 'a0@0<-a | a1@1<a0+k0.0$5 | b1@1<a0+k0.1$7'],
    ['a fork that becomes the highest, and back', 'a0@0<-a a1@1<a0+k0.0$5 | b1@1<a0+k0.1$7 b2@2<b1 | a2@2<a1 a3@3<a2'],
    ['a fork, and back in one transaction', 'a0@0<-a a1@1<a0+k0.0$5 | b1@1<a0 b2@2<b1+k0.1 a2@2<a1 a3@3<a2'],
    ['a gap that closes from above on another fork', 'a0@0<-a a1@1<a0 a2@2<a1+k0.0$5 | b3@3<b2 | b2@2<b1 | b1@1<a0'],
    ['a gap that closes from below on another fork', 'a0@0<-a a1@1<a0 a2@2<a1+k0.0$5 | b3@3<b2 | b1@1<a0 | b2@2<b1'],
    ['a gap below a gap closes', 'a0@0<-a | a2@2<a1 | b9@9<b8 | a1@1<a0+k0.0$5'],
    [
      'a block that is its own parent, and two that are each other’s',
      'a5@5<-a | b4@4<b4 | c6@6<b4 | d3@3<e3 | e3@3<d3 | f7@7<d3',
    ],
    ['skipped heights, and two forks that wait for one parent', 'a1@3<a0+k0.0$5 | b1@4<a0+k0.1$7 | a0@2<-a'],
    ['two orphans at the same height', 'a0@0<-a a1@1<a0 a2@2<a1 | b1@1<a0+k0.0 | c1@1<a0+k0.1'],
    ['a deploy on both sides of the start of an epoch', 'a0@0<-a a1@1<a0+k0.0 | b1@1<a0+k0.0~ b2@2<b1'],
    ['a notification on an orphan, which is adopted', 'a0@0<-a a1@1<a0 | b1@1<a0!k0f | b2@2<b1 | a2@2<a1!k0s a3@3<a2'],
    ['a parent that is higher than its child', 'a0@0<-a a1@1<a0 a2@2<a1 | b1@1<a2+k0.0$5 | b2@2<b1 | b3@3<b2'],
    ['canonical blocks below a gap', 'a0@0<-a a1@1<a0+k0.0$5 a2@2<a1 a5@5<a4 a6@6<a5'],
    ['a gap that closes from above', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1 a5@5<a4 | a4@4<a3 a3@3<a2'],
    ['a gap that closes from below', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1 a5@5<a4 | a3@3<a2 a4@4<a3'],
    ['an archive that begins above height 0', 'a7@7<a6+k0.0$5 a8@8<a7'],
    [
      'a canonical deploy and an orphaned one at the same height',
      'a0@0<-a a1@1<a0 a2@2<a1+k0.1 | b1@1<a0 b2@2<b1+k0.0',
    ],
    ['a canonical deploy and a higher orphaned one', 'a0@0<-a a1@1<a0+k0.1 a2@2<a1 b2@2<a1+k0.0'],
    ['the highest of canonical deploys', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k0.1'],
    ['a deploy only on an orphan', 'a0@0<-a a1@1<a0 b1@1<a0+k0.0'],
    ['a deploy that is orphaned', 'a0@0<-a a1@1<a0+k0.0 b1@1<a0 b2@2<b1'],
    ['the highest of orphaned deploys', 'a0@0<-a a1@1<a0 a2@2<a1 b1@1<a0+k0.0 b2@2<b1+k0.1'],
    ['one transaction in both forks', 'a0@0<-a a1@1<a0+k0.0 b1@1<a0 b2@2<b1+k0.0'],
  ] as const;
  const KNOWN_TO_EVALUATE = [
    [
      'a dependency that differs between forks',
      'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0+k0.1 b2@2<b1+k1.0 b3@3<b2',
    ],
    ['a dependency that arrives late', 'a0@0<-a | a2@2<a1+k1.0 | a1@1<a0+k0.0'],
    ['a dependency that is orphaned', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0 b2@2<b1+k1.0 b3@3<b2'],
    [
      'a token that moves after its dependency',
      'a0@0<-a a1@1<a0+k1.0 a2@2<a1+k0.0 | b1@1<a0+k0.0 b2@2<b1+k1.0 b3@3<b2',
    ],
    ['a token that returns', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0+k0.1 b2@2<b1 b3@3<b2 | a3@3<a2 a4@4<a3'],
  ] as const;
  test.each(MODES)('agrees with the model on known trees, in batches and block by block: $name', async (mode) => {
    const index = await openIndexFor(mode);
    const always = mode.evaluates && { evaluates: () => true };
    for (const [what, text] of mode.evaluates === undefined ? KNOWN : KNOWN_TO_EVALUATE) {
      const arrivals = parseArrivals(text);
      for (const batches of [arrivals, arrivals.flat().map((block) => [block])])
        expect(await firstDifference(index, batches, { ...mode, ...always }), what).toBeUndefined();
    }
    await index.close();
  });
});
