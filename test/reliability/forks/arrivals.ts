// Blocks in the order in which a replay receives them, and their text form ({@link formatArrivals}).

/** A block of a random tree, with only the fields that matter for forks. */
export interface ForkBlock {
  readonly name: string;
  readonly height: number;
  /** The name of the parent block, which may never arrive. */
  readonly parent: string;
  /**
   * The contract and the number of its deploy transaction, such as `k0.1`. Several blocks may include the same
   * transaction.
   */
  readonly deploy?: string;
  /** The amount minted minus the amount burned in the block. */
  readonly minted?: number;
  /**
   * A SIP-019 notification: the contract and its update mode, `k0s` for standard, `k0f` for frozen, `k0d` for dynamic.
   */
  readonly notice?: string;
  /**
   * True if the burn block is after the start of epoch 2.1. Clarity 2, not 1, is then the default version of deploys.
   */
  readonly isLate?: boolean;
}

/**
 * Blocks in the order of their arrival. Each inner list is a batch, applied in one transaction. A block may arrive
 * repeatedly.
 */
export type Arrivals = readonly (readonly ForkBlock[])[];

const BLOCK = /^(\w+)@(\d+)<([\w-]+)(?:\+(\w+\.\d+))?(?:\$(-?\d+))?(?:!(\w+))?(~)?$/;

/**
 * Formats arrivals as text for {@link parseArrivals}. Each block is `name@height<parent`, then `+deploy`, `$minted`,
 * `!notice`, and `~` if it is late. Batches are separated by `|`.
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
