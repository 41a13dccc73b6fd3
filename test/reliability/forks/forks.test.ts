// Random trees of blocks in random legal orders, against a reference model of the canonical rule; see make-arrivals.ts
// and model.ts.
//
// Some are replayed with tokens whose name is from another contract, and that the VM evaluates.
//
// FORKS_SEED makes other trees, FORKS_TREES more or fewer of them; SOAK=1 makes 40 times as many. A failure prints
// arrivals that can be put into KNOWN below as they are.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';
import { openVmIndex } from '../../support/vm-index.ts';
import { shrink } from '../shrink.ts';
import { type Arrivals, formatArrivals, parseArrivals } from './arrivals.ts';
import { ForkIndex } from './fork-index.ts';
import { makeArrivals } from './make-arrivals.ts';
import { firstDifference, type ReplayOptions } from './replay.ts';
import { smallerArrivals } from './smaller-arrivals.ts';

const SEED = Number(process.env.FORKS_SEED ?? 1);
const isSoak = process.env.SOAK === '1';
const TREES = Number(process.env.FORKS_TREES ?? 400) * (isSoak ? 40 : 1);
/** Of those whose tokens are evaluated, which takes half a second. */
const EVALUATED_TREES = 40 * (isSoak ? 20 : 1);
const TIMEOUT_MS = 60_000 + TREES * 20 + EVALUATED_TREES * 500;

interface Way extends ReplayOptions {
  readonly name: string;
  readonly trees: number;
}

const WAYS: readonly Way[] = [
  { name: 'CanonicalChain alone', by: 'CanonicalChain', reopens: false, trees: 0.7 * TREES },
  {
    name: 'CanonicalChain, the index opened again behind each batch',
    by: 'CanonicalChain',
    reopens: true,
    trees: 0.005 * TREES,
  },
  { name: 'applyBatch: deploys, supplies and gaps too', by: 'applyBatch', reopens: false, trees: 0.29 * TREES },
  {
    name: 'applyBatch, the index opened again behind each batch',
    by: 'applyBatch',
    reopens: true,
    trees: 0.005 * TREES,
  },
  {
    name: 'applyBatch, tokens evaluated behind some batches',
    by: 'applyBatch',
    reopens: false,
    evaluates: (batch) => crc32(formatArrivals([batch])) % 5 < 2,
    trees: EVALUATED_TREES,
  },
];

async function openIndexFor({ reopens, evaluates }: ReplayOptions): Promise<ForkIndex> {
  const path = reopens ? join(tempFolder(), 'index.sqlite') : ':memory:';
  return ForkIndex.open(path, evaluates && (await openVmIndex()));
}

/** The message of a failure: the smallest arrivals that fail, as found. */
async function explain(index: ForkIndex, arrivals: Arrivals, way: Way, seed: number): Promise<string> {
  const fails = async (smaller: Arrivals) => (await firstDifference(index, smaller, way)) !== undefined;
  const smallest = await shrink(arrivals, smallerArrivals, fails);
  return [
    `${way.name}, FORKS_SEED=${SEED}, tree ${seed}`,
    `arrivals: '${formatArrivals(smallest)}'`,
    await firstDifference(index, smallest, way),
    `before shrinking: '${formatArrivals(arrivals)}'`,
  ].join('\n');
}

describe('forks', () => {
  test.each(WAYS.map((way, number) => ({ ...way, number })))(
    'behavior: random trees, $name',
    { timeout: TIMEOUT_MS },
    async (way) => {
      const index = await openIndexFor(way);
      for (let tree = 0; tree < way.trees; tree++) {
        const seed = (SEED * WAYS.length + way.number) * 10_000_019 + tree;
        const arrivals = makeArrivals(seed, { carrying: way.by === 'applyBatch' });
        if ((await firstDifference(index, arrivals, way)) !== undefined)
          expect.fail(await explain(index, arrivals, way, seed));
        // Nothing above waits for anything but SQLite: the runner gets its turn.
        if (tree % 100 === 0) await setImmediate();
      }
      await index.close();
    },
  );

  const KNOWN = [
    ['of tips of one height the first is it', 'a0@0<-a | a1@1<a0+k0.0$5 | b1@1<a0+k0.1$7'],
    ['a fork that gets higher, and back', 'a0@0<-a a1@1<a0+k0.0$5 | b1@1<a0+k0.1$7 b2@2<b1 | a2@2<a1 a3@3<a2'],
    ['a fork, and back in one transaction', 'a0@0<-a a1@1<a0+k0.0$5 | b1@1<a0 b2@2<b1+k0.1 a2@2<a1 a3@3<a2'],
    ['a gap that closes from above on another fork', 'a0@0<-a a1@1<a0 a2@2<a1+k0.0$5 | b3@3<b2 | b2@2<b1 | b1@1<a0'],
    ['a gap that closes from below on another fork', 'a0@0<-a a1@1<a0 a2@2<a1+k0.0$5 | b3@3<b2 | b1@1<a0 | b2@2<b1'],
    ['a gap below a gap closes', 'a0@0<-a | a2@2<a1 | b9@9<b8 | a1@1<a0+k0.0$5'],
    ['a block on itself, and two on each other', 'a5@5<-a | b4@4<b4 | c6@6<b4 | d3@3<e3 | e3@3<d3 | f7@7<d3'],
    ['heights that skip, and two forks that waited for one parent', 'a1@3<a0+k0.0$5 | b1@4<a0+k0.1$7 | a0@2<-a'],
    ['two orphans of one height', 'a0@0<-a a1@1<a0 a2@2<a1 | b1@1<a0+k0.0 | c1@1<a0+k0.1'],
    ['a deploy on both sides of the start of an epoch', 'a0@0<-a a1@1<a0+k0.0 | b1@1<a0+k0.0~ b2@2<b1'],
    ['a notification on an orphan, which is adopted', 'a0@0<-a a1@1<a0 | b1@1<a0!k0f | b2@2<b1 | a2@2<a1!k0s a3@3<a2'],
    ['a parent that is higher than its child', 'a0@0<-a a1@1<a0 a2@2<a1 | b1@1<a2+k0.0$5 | b2@2<b1 | b3@3<b2'],
    ['what is canonical below a gap', 'a0@0<-a a1@1<a0+k0.0$5 a2@2<a1 a5@5<a4 a6@6<a5'],
    ['a gap that closes from above', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1 a5@5<a4 | a4@4<a3 a3@3<a2'],
    ['a gap that closes from below', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1 a5@5<a4 | a3@3<a2 a4@4<a3'],
    ['an archive that begins above height 0', 'a7@7<a6+k0.0$5 a8@8<a7'],
    ['a canonical deploy before one of the same height', 'a0@0<-a a1@1<a0 a2@2<a1+k0.1 | b1@1<a0 b2@2<b1+k0.0'],
    ['a canonical deploy before a higher one', 'a0@0<-a a1@1<a0+k0.1 a2@2<a1 b2@2<a1+k0.0'],
    ['the highest of canonical deploys', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k0.1'],
    ['a deploy on an orphan alone', 'a0@0<-a a1@1<a0 b1@1<a0+k0.0'],
    ['a deploy that is orphaned', 'a0@0<-a a1@1<a0+k0.0 b1@1<a0 b2@2<b1'],
    ['the highest of orphaned deploys', 'a0@0<-a a1@1<a0 a2@2<a1 b1@1<a0+k0.0 b2@2<b1+k0.1'],
    ['one transaction in both forks', 'a0@0<-a a1@1<a0+k0.0 b1@1<a0 b2@2<b1+k0.0'],
  ] as const;
  const KNOWN_TO_EVALUATE = [
    [
      'a dependency that differs between forks',
      'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0+k0.1 b2@2<b1+k1.0 b3@3<b2',
    ],
    ['a dependency that comes late', 'a0@0<-a | a2@2<a1+k1.0 | a1@1<a0+k0.0'],
    ['a dependency that is orphaned', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0 b2@2<b1+k1.0 b3@3<b2'],
    [
      'a token that moves behind its dependency',
      'a0@0<-a a1@1<a0+k1.0 a2@2<a1+k0.0 | b1@1<a0+k0.0 b2@2<b1+k1.0 b3@3<b2',
    ],
    ['a token that comes back', 'a0@0<-a a1@1<a0+k0.0 a2@2<a1+k1.0 | b1@1<a0+k0.1 b2@2<b1 b3@3<b2 | a3@3<a2 a4@4<a3'],
  ] as const;
  test.each(WAYS)('behavior: known trees, $name, in batches and block by block', async (way) => {
    const index = await openIndexFor(way);
    const always = way.evaluates && { evaluates: () => true };
    for (const [what, text] of way.evaluates === undefined ? KNOWN : KNOWN_TO_EVALUATE) {
      const arrivals = parseArrivals(text);
      for (const batches of [arrivals, arrivals.flat().map((block) => [block])])
        expect(await firstDifference(index, batches, { ...way, ...always }), what).toBeUndefined();
    }
    await index.close();
  });
});
