// What a replay of blocks is, and how one is written as a line of text: `a0@0<- a1@1<a0+k0.1$5 | b1@1<a0`.

/** A block of a random tree: what forks depend on, and nothing else. */
export interface ForkBlock {
  readonly name: string;
  readonly height: number;
  /** Its parent's name, which need not be the name of a block that ever comes. */
  readonly parent: string;
  /**
   * Contract and transaction of a deploy, `k0.1`: a transaction is of one contract, and several blocks may include it.
   */
  readonly deploy?: string;
  /** Minted less burned. */
  readonly minted?: number;
  /** Contract and update mode of a SIP-019 notification: `k0s` (standard), `k0f` (frozen), `k0d` (dynamic). */
  readonly notice?: string;
  /** Whether its burn block is behind the start of epoch 2.1: a deploy without a version is Clarity 2 then, not 1. */
  readonly isLate?: boolean;
}

/** Blocks in the order in which they come, each batch a transaction; a block may come more than once. */
export type Arrivals = readonly (readonly ForkBlock[])[];

const BLOCK = /^(\w+)@(\d+)<([\w-]+)(?:\+(\w+\.\d+))?(?:\$(-?\d+))?(?:!(\w+))?(~)?$/;

/**
 * As text that {@link parseArrivals} reads: `name@height<parent`, then `+deploy`, `$minted`, `!notice` and `~`
 * for a late one; `|` is between batches.
 */
export function formatArrivals(arrivals: Arrivals): string {
  return arrivals.map((batch) => batch.map(formatBlock).join(' ')).join(' | ');
}

export function parseArrivals(text: string): Arrivals {
  return text.split(' | ').map((batch) => batch.split(' ').map(parseBlock));
}

function formatBlock({ name, height, parent, deploy, minted, notice, isLate }: ForkBlock): string {
  const carried = Object.entries({ '+': deploy, $: minted, '!': notice }).filter(([, value]) => value !== undefined);
  return `${name}@${height}<${parent}${carried.flat().join('')}${isLate ? '~' : ''}`;
}

function parseBlock(text: string): ForkBlock {
  const [, name, height, parent, deploy, minted, notice, late] = BLOCK.exec(text) ?? [];
  if (name === undefined || parent === undefined) throw new Error(`not a block: ${text}`);
  return {
    name,
    height: Number(height),
    parent,
    ...(deploy === undefined ? {} : { deploy }),
    ...(minted === undefined ? {} : { minted: Number(minted) }),
    ...(notice === undefined ? {} : { notice }),
    ...(late === undefined ? {} : { isLate: true }),
  };
}
