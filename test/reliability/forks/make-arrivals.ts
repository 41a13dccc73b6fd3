// Makes random trees of blocks, and random legal orders of their arrival.
//
// An order is legal if an archive may contain it. Parents usually arrive before their children. But archives may
// overlap, begin at any block, and lack blocks, so any block may arrive late, never or repeatedly. A parent that is not
// lower than its child is impossible on a chain. A file may contain such a link, which must not do any harm.

import { Random } from '../../support/random.ts';
import type { Arrivals, ForkBlock } from './arrivals.ts';

/** Makes arrivals from a seed. Some blocks have deploys, supply changes and notifications. */
export function makeArrivals(seed: number): Arrivals {
  const random = new Random(seed);
  const tree = carry(makeTree(random), random);
  return inBatches(withRepeats(withLateBlocks(inOrder(tree, random), random), random), random);
}

class Tree {
  readonly blocks: ForkBlock[] = [];
  #forks = 0;

  /** Adds a new branch of `length` blocks on top of a parent. Returns the tip of the branch. */
  fork(parent: ForkBlock | undefined, length: number, height = (parent?.height ?? -1) + 1): ForkBlock {
    const letter = String.fromCharCode('a'.charCodeAt(0) + this.#forks++);
    let tip = parent;
    for (let at = height; at < height + Math.max(1, length); at++) {
      tip = { name: `${letter}${at}`, height: at, parent: tip?.name ?? `-${letter}` };
      this.blocks.push(tip);
    }
    return tip as ForkBlock;
  }

  /** Makes `block` the parent of the tree's first block. Both may be the same block. */
  closeCircle(block: ForkBlock): void {
    this.blocks[0] = { ...(this.blocks[0] as ForkBlock), parent: block.name };
  }
}

function makeTree(random: Random): ForkBlock[] {
  const tree = new Tree();
  const start = random.chance(0.8) ? 0 : random.within(1, 9);
  SHAPES[random.below(SHAPES.length)]?.(tree, random, start);
  const anyBlock = () => random.pick(tree.blocks);
  if (random.chance(0.15)) tree.fork(undefined, random.within(1, 4), random.within(start, start + 8));
  for (let links = random.chance(0.15) ? random.within(1, 2) : 0; links > 0; links--) {
    const parent = anyBlock();
    if (random.chance(0.3)) tree.closeCircle(parent);
    else tree.fork(parent, random.within(1, 5), Math.max(0, parent.height - random.below(3)));
  }
  const missing = random.chance(0.25) ? random.within(1, 3) : 0;
  const removed = new Set(Array.from({ length: missing }, anyBlock));
  return tree.blocks.filter((block) => !removed.has(block) || removed.size === tree.blocks.length);
}

const SHAPES: readonly ((tree: Tree, random: Random, start: number) => void)[] = [
  function shortForksOnALongChain(tree, random, start) {
    tree.fork(undefined, random.within(4, random.chance(0.05) ? 40 : 8), start);
    const chain = [...tree.blocks];
    for (let forks = random.within(1, 3); forks > 0; forks--) tree.fork(random.pick(chain), random.within(1, 2));
  },
  function deepReorganisations(tree, random, start) {
    let tip = tree.fork(undefined, random.within(2, random.chance(0.05) ? 25 : 4), start);
    for (let forks = random.within(1, 2); forks > 0; forks--) {
      const parent = random.pick(tree.blocks.filter((block) => block.height <= start + 1));
      tip = tree.fork(parent, tip.height - parent.height + random.within(0, 2));
    }
  },
  function tipsOfEqualHeight(tree, random, start) {
    const { height } = tree.fork(undefined, random.within(2, 4), start);
    for (let forks = random.within(1, 3); forks > 0; forks--) {
      const parent = random.pick(tree.blocks.filter((block) => block.height < height));
      tree.fork(parent, height - parent.height);
    }
    if (random.chance(0.5)) tree.fork(random.pick(tree.blocks.filter((block) => block.height === height)), 1);
  },
  function anyForksOfForks(tree, random, start) {
    tree.fork(undefined, random.within(1, 3), start);
    for (let forks = random.within(1, 4); forks > 0; forks--) tree.fork(random.pick(tree.blocks), random.within(1, 3));
  },
];

/** Adds deploys, supply changes and notifications to some blocks. Moves some blocks past the start of epoch 2.1. */
function carry(blocks: readonly ForkBlock[], random: Random): ForkBlock[] {
  return blocks.map((block) => ({
    ...block,
    ...(random.chance(0.4) ? { deploy: `k${random.below(3)}.${random.below(2)}` } : {}),
    ...(random.chance(0.6) ? { minted: random.pick([-7, 1, 10, 100, 1000]) } : {}),
    ...(random.chance(0.3) ? { notice: `k${random.below(2)}${random.pick(['s', 'f', 'd'])}` } : {}),
    ...(random.chance(0.4) ? { isLate: true } : {}),
  }));
}

/**
 * Sorts parents before children; branches follow each other or alternate. One tree in twenty has an arbitrary order.
 */
function inOrder(blocks: readonly ForkBlock[], random: Random): ForkBlock[] {
  const stays = random.pick([0, 0.5, 0.9]);
  const anyOrder = random.chance(0.05);
  const waiting = [...blocks];
  const ordered: ForkBlock[] = [];
  while (waiting.length > 0) {
    const isReady = (block: ForkBlock) => anyOrder || !waiting.some((other) => other.name === block.parent);
    const ready = waiting.filter(isReady);
    const next = ready.find((block) => block.parent === ordered.at(-1)?.name);
    const block = next !== undefined && random.chance(stays) ? next : random.pick(ready.length > 0 ? ready : waiting);
    ordered.push(...waiting.splice(waiting.indexOf(block), 1));
  }
  return ordered;
}

function withLateBlocks(ordered: ForkBlock[], random: Random): ForkBlock[] {
  const late = random.chance(0.35) ? random.within(1, 4) : 0;
  for (let moves = 0; moves < late; moves++) {
    const from = random.below(ordered.length);
    ordered.splice(random.within(from, ordered.length), 0, ...ordered.splice(from, 1));
  }
  return ordered;
}

function withRepeats(ordered: ForkBlock[], random: Random): ForkBlock[] {
  const repeats = random.chance(0.25) ? random.within(1, 4) : 0;
  for (let copies = 0; copies < repeats; copies++) {
    const from = random.below(ordered.length);
    ordered.splice(random.within(from + 1, ordered.length), 0, ordered[from] as ForkBlock);
  }
  return ordered;
}

function inBatches(ordered: readonly ForkBlock[], random: Random): Arrivals {
  const maxBlocks = random.pick([1, 3, 5, ordered.length]);
  const batches: ForkBlock[][] = [];
  for (let start = 0; start < ordered.length; start += batches.at(-1)?.length ?? 0)
    batches.push(ordered.slice(start, start + random.within(1, maxBlocks)));
  return batches;
}
