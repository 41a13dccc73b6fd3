// Looks into a payload, whatever it is: of which chain it is, and how high a block.
import { readChainId } from '#source/observer/payload-members.ts';

export interface BlockFacts {
  readonly height: number;
  readonly burnBlockTime: number | undefined;
}

/** That of the first transaction that has one. */
export function chainIdOf(json: unknown): number | undefined {
  const { transactions } = (json ?? {}) as { transactions?: unknown };
  for (const one of Array.isArray(transactions) ? (transactions as ({ raw_tx?: unknown } | null)[]) : []) {
    const chainId = typeof one?.raw_tx === 'string' ? readChainId(one.raw_tx) : undefined;
    if (chainId !== undefined) return chainId;
  }
  return undefined;
}

export function blockOf(json: unknown): BlockFacts | undefined {
  const { block_height: height, burn_block_time: time } = (json ?? {}) as {
    block_height?: unknown;
    burn_block_time?: unknown;
  };
  if (typeof height !== 'number' || !Number.isSafeInteger(height)) return undefined;
  return { height, burnBlockTime: typeof time === 'number' && time > 0 ? time : undefined };
}
