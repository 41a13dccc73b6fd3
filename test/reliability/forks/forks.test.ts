// Random trees of blocks in random legal orders, against a reference model of the canonical rule; see make-arrivals.ts
// and model.ts.
//
// FORKS_SEED makes other trees, FORKS_TREES more or fewer of them; SOAK=1 makes 40 times as many. A failure prints
// arrivals that can be put into KNOWN below as they are.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';
import { type Arrivals, formatArrivals, parseArrivals } from './arrivals.ts';
import { ForkIndex } from './fork-index.ts';
import { makeArrivals } from './make-arrivals.ts';
import { firstDifference, type ReplayOptions } from './replay.ts';
import { shrink } from './shrink.ts';

const SEED = Number(process.env.FORKS_SEED ?? 1);
const TREES = Number(process.env.FORKS_TREES ?? 400) * (process.env.SOAK === '1' ? 40 : 1);
const TIMEOUT_MS = 60_000 + TREES * 20;

interface Way extends ReplayOptions {
  readonly name: string;
  /** Of the trees, this share is replayed so. */
  readonly share: number;
}

const WAYS: readonly Way[] = [
  { name: 'CanonicalChain alone', by: 'CanonicalChain', reopens: false, share: 0.7 },
  {
    name: 'CanonicalChain, the index opened again behind each batch',
    by: 'CanonicalChain',
    reopens: true,
    share: 0.005,
  },
  { name: 'applyBatch: deploys, supplies and gaps too', by: 'applyBatch', reopens: false, share: 0.29 },
  { name: 'applyBatch, the index opened again behind each batch', by: 'applyBatch', reopens: true, share: 0.005 },
];

const openIndexFor = ({ reopens }: ReplayOptions) =>
  ForkIndex.open(reopens ? join(tempFolder(), 'index.sqlite') : ':memory:');

/** The message of a failure: the smallest arrivals that fail, as found. */
async function explain(index: ForkIndex, arrivals: Arrivals, way: Way, seed: number): Promise<string> {
  const smallest = await shrink(
    arrivals,
    async (smaller) => (await firstDifference(index, smaller, way)) !== undefined,
  );
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
      const trees = Math.ceil(TREES * way.share);
      for (let tree = 0; tree < trees; tree++) {
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
  test.each(WAYS)('behavior: known trees, $name, in batches and block by block', async (way) => {
    const index = await openIndexFor(way);
    for (const [what, text] of KNOWN) {
      const arrivals = parseArrivals(text);
      for (const batches of [arrivals, arrivals.flat().map((block) => [block])])
        expect(await firstDifference(index, batches, way), what).toBeUndefined();
    }
    await index.close();
  });
});
