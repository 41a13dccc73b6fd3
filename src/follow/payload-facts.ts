// Reads the chain id and the height of a block from a payload of any form.
import { readChainId } from '#source/observer/payload-members.ts';

export interface BlockFacts {
  readonly height: number;
  readonly burnBlockTime: number | undefined;
}

/** Returns the chain id of the first decodable transaction; undefined if no transaction is decodable. */
export function chainIdOf(json: unknown): number | undefined {
  const { transactions } = (json ?? {}) as { transactions?: unknown };
  for (const transaction of Array.isArray(transactions) ? (transactions as ({ raw_tx?: unknown } | null)[]) : []) {
    const chainId = typeof transaction?.raw_tx === 'string' ? readChainId(transaction.raw_tx) : undefined;
    if (chainId !== undefined) return chainId;
  }
  return undefined;
}

/** Returns the facts of a block; undefined if the payload has no height. */
export function blockOf(json: unknown): BlockFacts | undefined {
  const { block_height: height, burn_block_time: time } = (json ?? {}) as {
    block_height?: unknown;
    burn_block_time?: unknown;
  };
  if (typeof height !== 'number' || !Number.isSafeInteger(height)) return undefined;
  return { height, burnBlockTime: typeof time === 'number' && time > 0 ? time : undefined };
}
