// Reads the facts of a payload that the follower needs, with the reader of index runs: what it cannot read, an index
// run could not read either.
import { MalformedError } from '#source/observer/malformed-error.ts';
import { bytesOfHex, parsePayload } from '#source/observer/parse-payload.ts';
import { readChainId } from '#source/observer/payload-members.ts';

export interface BlockFacts {
  readonly height: number;
  readonly burnBlockTime: number | undefined;
}

interface PayloadFacts {
  /** The chains of the transactions. */
  readonly chainIds: ReadonlySet<number>;
  /** Undefined if the payload has no height. */
  readonly block: BlockFacts | undefined;
  /** True if the payload has the members of an event that an index run reads. */
  readonly isIndexed: boolean;
}

/** Members of the events that an index run reads. No other events have them. */
const INDEXED_MEMBERS = ['index_block_hash', 'transactions'];

/** Reads a payload. Throws MalformedError if it is not a JSON object, or a transaction is not an object. */
export function readFacts(body: Buffer): PayloadFacts {
  const { members, transactions } = parsePayload(body);
  const { block_height: height, burn_block_time: time, index_block_hash: hash } = members;
  const chainIds = transactions.flatMap(({ raw_tx: raw }) => {
    const rawTx = bytesOfHex(raw) ?? raw;
    return typeof rawTx === 'string' || rawTx instanceof Uint8Array ? (readChainId(rawTx) ?? []) : [];
  });
  const burnBlockTime = typeof time === 'number' && time > 0 ? time : undefined;
  return {
    chainIds: new Set(chainIds),
    block: Number.isSafeInteger(height) ? { height: height as number, burnBlockTime } : undefined,
    isIndexed: transactions.length > 0 || hash !== undefined,
  };
}

/** True if a body may be an event that an index run reads, sent to an unknown path. */
export function mayBeIndexed(body: Buffer): boolean {
  if (INDEXED_MEMBERS.some((name) => body.includes(`"${name}"`))) return true;
  try {
    // Finds names with escapes.
    return readFacts(body).isIndexed;
  } catch (error) {
    if (error instanceof MalformedError) return false;
    throw error;
  }
}
