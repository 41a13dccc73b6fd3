// Looks into a payload, whatever it is: of which chain it is, and how high a block.

export interface BlockFacts {
  readonly height: number;
  readonly burnBlockTime: number | undefined;
}

/** That of the first transaction which names one: each begins with a byte for its version, then its chain. */
export function chainIdOf(json: unknown): number | undefined {
  const { transactions } = (json ?? {}) as { transactions?: unknown };
  for (const one of Array.isArray(transactions) ? (transactions as ({ raw_tx?: unknown } | null)[]) : []) {
    const chainId = Number.parseInt(/^0x..([0-9a-f]{8})/i.exec(String(one?.raw_tx))?.[1] ?? '', 16);
    if (chainId > 0) return chainId;
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
