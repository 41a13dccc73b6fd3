// The arrivals of blocks in a replay, and their form as a line of text: `a0@0<- a1@1<a0+k0.1$5 | b1@1<a0`.

/** A block of a random tree, with only the fields that matter for forks. */
export interface ForkBlock {
  readonly name: string;
  readonly height: number;
  /** Name of the parent, which may never arrive. */
  readonly parent: string;
  /** Contract and transaction of a deploy, such as `k0.1`. Several blocks may include the same transaction. */
  readonly deploy?: string;
  /** Minted minus burned amount. */
  readonly minted?: number;
  /** Contract and update mode of a SIP-019 notification: `k0s` (standard), `k0f` (frozen), `k0d` (dynamic). */
  readonly notice?: string;
  /** True if the burn block is after the start of epoch 2.1. The default version is then Clarity 2 instead of 1. */
  readonly isLate?: boolean;
}

/** Blocks in the order of their arrival. Each batch is a transaction. A block may arrive more than once. */
export type Arrivals = readonly (readonly ForkBlock[])[];

const BLOCK = /^(\w+)@(\d+)<([\w-]+)(?:\+(\w+\.\d+))?(?:\$(-?\d+))?(?:!(\w+))?(~)?$/;

/**
 * Formats arrivals for {@link parseArrivals}: `name@height<parent`, then `+deploy`, `$minted`, `!notice`, and `~` for a
 * late block. Batches are separated by `|`.
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
