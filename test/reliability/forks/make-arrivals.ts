// Makes random trees of blocks, and random legal orders in which their blocks come.
//
// Legal is what the behaviour document allows an archive to hold. A block is one higher than its parent. Parents mostly come
// before their children, as an observer sends them; but an archive may begin anywhere, several archives overlap, and a block
// whose parent is not known is a gap and no error: so any block may come late or never, and any block may come again.
// A link to a parent that is not lower than its child is no chain's, but a file can hold it, and it must do no harm.
import type { Arrivals, ForkBlock } from './arrivals.ts';
import { type Dice, diceOf } from './dice.ts';

/** The arrivals of the tree of a seed, with or without deploys and supply changes. */
export function makeArrivals(seed: number, { carrying }: { readonly carrying: boolean }): Arrivals {
  const dice = diceOf(seed);
  const blocks = makeTree(dice);
  const tree = carrying ? carry(blocks, dice) : blocks;
  return inBatches(withRepeats(withLateOnes(inOrder(tree, dice), dice), dice), dice);
}

class Tree {
  readonly blocks: ForkBlock[] = [];
  #forks = 0;

  /** Puts a new fork of some blocks on a parent; its tip. */
  fork(parent: ForkBlock | undefined, length: number, height = (parent?.height ?? -1) + 1): ForkBlock {
    const letter = String.fromCharCode('a'.charCodeAt(0) + this.#forks++);
    let tip = parent;
    for (let at = height; at < height + Math.max(1, length); at++) {
      tip = { name: `${letter}${at}`, height: at, parent: tip?.name ?? `-${letter}` };
      this.blocks.push(tip);
    }
    return tip as ForkBlock;
  }

  /** Makes a block, which may be the lowest one itself, the parent of the lowest one. */
  closeCircle(block: ForkBlock): void {
    this.blocks[0] = { ...(this.blocks[0] as ForkBlock), parent: block.name };
  }
}

function makeTree(dice: Dice): ForkBlock[] {
  const tree = new Tree();
  const start = dice.chance(0.8) ? 0 : dice.within(1, 9);
  SHAPES[dice.below(SHAPES.length)]?.(tree, dice, start);
  const anyBlock = () => dice.oneOf(tree.blocks);
  if (dice.chance(0.15)) tree.fork(undefined, dice.within(1, 4), dice.within(start, start + 8));
  for (let links = dice.chance(0.15) ? dice.within(1, 2) : 0; links > 0; links--) {
    const parent = anyBlock();
    if (dice.chance(0.3)) tree.closeCircle(parent);
    else tree.fork(parent, dice.within(1, 5), Math.max(0, parent.height - dice.below(3)));
  }
  const missing = dice.chance(0.25) ? dice.within(1, 3) : 0;
  const gone = new Set(Array.from({ length: missing }, anyBlock));
  return tree.blocks.filter((block) => !gone.has(block) || gone.size === tree.blocks.length);
}

const SHAPES: readonly ((tree: Tree, dice: Dice, start: number) => void)[] = [
  function shortForksOnALongChain(tree, dice, start) {
    tree.fork(undefined, dice.within(4, dice.chance(0.05) ? 40 : 8), start);
    const chain = [...tree.blocks];
    for (let forks = dice.within(1, 3); forks > 0; forks--) tree.fork(dice.oneOf(chain), dice.within(1, 2));
  },
  function deepReorganisations(tree, dice, start) {
    let tip = tree.fork(undefined, dice.within(2, dice.chance(0.05) ? 25 : 4), start);
    for (let forks = dice.within(1, 2); forks > 0; forks--) {
      const parent = dice.oneOf(tree.blocks.filter((block) => block.height <= start + 1));
      tip = tree.fork(parent, tip.height - parent.height + dice.within(0, 2));
    }
  },
  function tipsOfEqualHeight(tree, dice, start) {
    const { height } = tree.fork(undefined, dice.within(2, 4), start);
    for (let forks = dice.within(1, 3); forks > 0; forks--) {
      const parent = dice.oneOf(tree.blocks.filter((block) => block.height < height));
      tree.fork(parent, height - parent.height);
    }
    if (dice.chance(0.5)) tree.fork(dice.oneOf(tree.blocks.filter((block) => block.height === height)), 1);
  },
  function anyForksOfForks(tree, dice, start) {
    tree.fork(undefined, dice.within(1, 3), start);
    for (let forks = dice.within(1, 4); forks > 0; forks--) tree.fork(dice.oneOf(tree.blocks), dice.within(1, 3));
  },
];

/** Puts deploys and supply changes into some of the blocks. */
function carry(blocks: readonly ForkBlock[], dice: Dice): ForkBlock[] {
  return blocks.map((block) => ({
    ...block,
    ...(dice.chance(0.4) ? { deploy: `k${dice.below(3)}.${dice.below(2)}` } : {}),
    ...(dice.chance(0.6) ? { minted: dice.oneOf([-7, 1, 10, 100, 1000]) } : {}),
  }));
}

/** Parents before children, forks one after the other or mixed; in one tree of twenty just any order. */
function inOrder(blocks: readonly ForkBlock[], dice: Dice): ForkBlock[] {
  const stays = dice.oneOf([0, 0.5, 0.9]);
  const anyOrder = dice.chance(0.05);
  const waiting = [...blocks];
  const ordered: ForkBlock[] = [];
  while (waiting.length > 0) {
    const isReady = (block: ForkBlock) => anyOrder || !waiting.some((other) => other.name === block.parent);
    const ready = waiting.filter(isReady);
    const next = ready.find((block) => block.parent === ordered.at(-1)?.name);
    const block = next !== undefined && dice.chance(stays) ? next : dice.oneOf(ready.length > 0 ? ready : waiting);
    ordered.push(...waiting.splice(waiting.indexOf(block), 1));
  }
  return ordered;
}

function withLateOnes(ordered: ForkBlock[], dice: Dice): ForkBlock[] {
  const late = dice.chance(0.35) ? dice.within(1, 4) : 0;
  for (let moves = 0; moves < late; moves++) {
    const from = dice.below(ordered.length);
    ordered.splice(dice.within(from, ordered.length), 0, ...ordered.splice(from, 1));
  }
  return ordered;
}

function withRepeats(ordered: ForkBlock[], dice: Dice): ForkBlock[] {
  const repeats = dice.chance(0.25) ? dice.within(1, 4) : 0;
  for (let copies = 0; copies < repeats; copies++) {
    const from = dice.below(ordered.length);
    ordered.splice(dice.within(from + 1, ordered.length), 0, ordered[from] as ForkBlock);
  }
  return ordered;
}

function inBatches(ordered: readonly ForkBlock[], dice: Dice): Arrivals {
  const most = dice.oneOf([1, 3, 5, ordered.length]);
  const batches: ForkBlock[][] = [];
  for (let start = 0; start < ordered.length; start += batches.at(-1)?.length ?? 0)
    batches.push(ordered.slice(start, start + dice.within(1, most)));
  return batches;
}
