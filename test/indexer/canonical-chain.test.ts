import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChainEvent } from '#model/chain-event.ts';
import { readTip } from '#store/blocks.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { newIndex } from '../support/archives.ts';
import { apply, block, served } from '../support/chain-index.ts';
import { addressOf, deployJson, hashOf, mintEvent, TEST_KEY } from '../support/observer-lines.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ADDRESS = addressOf(TEST_KEY);
const ASSET = `${ADDRESS}.c0::coin`;
/** Deploys that several blocks may include; the last two are of one contract. */
const DEPLOYS = [0, 1, 2, 2].map((name, nonce) => ({
  id: `${ADDRESS}.c${name}`,
  json: deployJson(`c${name}`, '(print 1)', { nonce }),
}));

interface Node {
  readonly index: number;
  readonly parent: Node | undefined;
  readonly height: number;
  readonly mint: number;
  readonly deploy: number | undefined;
  readonly event: ChainEvent;
}

/** Trees of blocks with a root at height 0: each block is on one of those before it, mostly on a recent one. */
const trees = fc
  .array(
    fc.tuple(fc.oneof(fc.nat(2), fc.nat(12)), fc.nat(9), fc.option(fc.nat(DEPLOYS.length - 1), { nil: undefined })),
    {
      minLength: 1,
      maxLength: 18,
    },
  )
  .map((seeds) => {
    const nodes: Node[] = [];
    for (const [index, [back, mint, deploy]] of seeds.entries()) {
      const parent = nodes[Math.max(0, index - 1 - back)];
      const height = parent === undefined ? 0 : parent.height + 1;
      const transaction = DEPLOYS[deploy ?? -1]?.json ?? deployJson('other', '(print 1)');
      const event = block({
        id: index,
        parent: parent?.index ?? 'none',
        height,
        transactions: [transaction],
        events: [mintEvent(transaction.txid, ASSET, String(mint))],
      });
      nodes.push({ index, parent, height, mint, deploy, event });
    }
    return nodes;
  });
const batchSizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 });

/** Behaviour, section 6: the first of the highest blocks is the tip, and its ancestors are canonical. */
class Model {
  tip: Node | undefined;
  readonly arrived = new Set<Node>();

  add(node: Node): void {
    this.arrived.add(node);
    if (this.tip === undefined || node.height > this.tip.height) this.tip = node;
  }

  get canonical(): Set<Node> {
    const chain = new Set<Node>();
    for (let node = this.tip; node !== undefined; node = node.parent) chain.add(node);
    return chain;
  }

  /** What `served` gives for a contract. */
  served(contractId: string): string | undefined {
    const { canonical } = this;
    const heights = (nodes: Iterable<Node>) =>
      [...nodes].filter(({ deploy }) => DEPLOYS[deploy ?? -1]?.id === contractId).map((node) => node.height);
    const [on, off] = [heights(canonical), heights(this.arrived)];
    if (off.length === 0) return undefined;
    const name = contractId.split('.')[1];
    return on.length > 0 ? `${name}@${Math.max(...on)}` : `${name}@${Math.max(...off)}!`;
  }
}

async function expectAsModel(store: Store, model: Model): Promise<void> {
  const canonical = [...model.canonical];
  const rows = await store.selectFrom('block').select('index_block_hash').where('canonical', '=', 1).execute();
  expect(rows.map((row) => `0x${row.index_block_hash.toString('hex')}`).sort()).toEqual(
    canonical.map(({ index }) => hashOf(index)).sort(),
  );
  expect((await readTip(store))?.indexBlockHash).toBe(hashOf(model.tip?.index ?? ''));
  const supply = await store.selectFrom('asset_supply').select('amount').executeTakeFirst();
  expect(Number(supply?.amount)).toBe(canonical.reduce((sum, node) => sum + node.mint, 0));
  for (const { id } of DEPLOYS) expect(await served(store, id)).toBe(model.served(id));
}

/** Feeds blocks in batches to a fresh index and to the model; `check` is called behind each batch. */
async function replay(
  path: string,
  nodes: Node[],
  sizes: number[],
  check: (store: Store, model: Model) => Promise<void>,
) {
  const store = await openIndex(path);
  const model = new Model();
  for (let start = 0, turn = 0; start < nodes.length; turn++) {
    const batch = nodes.slice(start, start + (sizes[turn % sizes.length] as number));
    start += batch.length;
    for (const node of batch) model.add(node);
    await apply(
      store,
      batch.map((node) => node.event),
    );
    await check(store, model);
  }
  const gaps = await store.selectFrom('chain_failure').select('subject').where('code', '=', 'block-gap').execute();
  expect(gaps).toEqual([]);
  await store.destroy();
}

describe('CanonicalChain', () => {
  test('behavior: any tree, parents before children, in any batches, is what the rule says after each batch', async () => {
    const folder = tempFolder();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(trees, batchSizes, fc.array(fc.nat(17), { maxLength: 4 }), async (nodes, sizes, repeats) => {
        const repeated = [...nodes, ...repeats.flatMap((index) => nodes[index] ?? [])];
        await replay(join(folder, `${run++}`), repeated, sizes, expectAsModel);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('behavior: any tree, in any order, ends with the chain of the first of the highest blocks', async () => {
    const folder = tempFolder();
    let run = 0;
    const shuffled = trees.chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length }));
    await fc.assert(
      fc.asyncProperty(shuffled, batchSizes, async (nodes, sizes) => {
        await replay(join(folder, `${run++}`), nodes, sizes, async (store, model) => {
          if (model.arrived.size === nodes.length) await expectAsModel(store, model);
        });
      }),
      { numRuns: 300, seed: 2 },
    );
  });

  describe('blocks whose parent is not known', () => {
    const at = (id: string, parent: string, height: number) => block({ id, parent, height });
    const canonical = async (store: Store) => {
      const rows = await store
        .selectFrom('block')
        .select('height')
        .where('canonical', '=', 1)
        .orderBy('height')
        .execute();
      return rows.map((row) => row.height);
    };
    const gaps = async (store: Store) =>
      (await store.selectFrom('chain_failure').select('subject').where('code', '=', 'block-gap').execute()).map(
        (row) => row.subject,
      );
    const below = [at('a0', 'none', 0), at('a1', 'a0', 1), at('a2', 'a1', 2)];

    test('default: what is canonical below a gap stays canonical', async () => {
      const store = await newIndex();
      await apply(store, [...below, at('a5', 'a4', 5), at('a6', 'a5', 6)]);
      expect(await canonical(store)).toEqual([0, 1, 2, 5, 6]);
      expect(await gaps(store)).toEqual([hashOf('a5')]);
    });

    test.each([
      ['from above', ['a4', 'a3']],
      ['from below', ['a3', 'a4']],
    ])('behavior: parents that arrive late, %s, close it', async (_, order) => {
      for (const together of [true, false]) {
        const store = await newIndex();
        await apply(store, [...below, at('a5', 'a4', 5)]);
        const late = order.map((id) => at(id, id === 'a4' ? 'a3' : 'a2', Number(id[1])));
        for (const batch of together ? [late] : late.map((one) => [one])) await apply(store, batch);
        expect(await canonical(store)).toEqual([0, 1, 2, 3, 4, 5]);
        expect(await gaps(store)).toEqual([]);
      }
    });

    test('behavior: a parent that closes a gap on another fork takes the places of what was there', async () => {
      const store = await newIndex();
      await apply(store, [...below, at('b4', 'b3', 4)]);
      await apply(store, [at('b2', 'a1', 2)]);
      await apply(store, [at('b3', 'b2', 3)]);
      const rows = await store
        .selectFrom('block')
        .select('index_block_hash')
        .where('canonical', '=', 1)
        .orderBy('height')
        .execute();
      expect(rows.map((row) => `0x${row.index_block_hash.toString('hex')}`)).toEqual(
        ['a0', 'a1', 'b2', 'b3', 'b4'].map(hashOf),
      );
    });

    test('behavior: an archive that begins above height 0 is a gap', async () => {
      const store = await newIndex();
      const { failures } = await apply(store, [at('a7', 'a6', 7), at('a8', 'a7', 8)]);
      expect(failures).toMatchObject([{ code: 'block-gap', subject: hashOf('a7') }]);
      expect(await canonical(store)).toEqual([7, 8]);
    });
  });
});
