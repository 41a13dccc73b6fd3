// A payload with only the data that an index reads, for a seed.
import { NO_CALLS } from '#model/block-content.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import type { BlockHead } from './block-run.ts';

/** The place of a transaction and of its events in {@link CutPayload.bytes}. */
export interface CutTransaction {
  readonly txId: string;
  /** The key of the called function, if the transaction is only needed in case the function may write a variable. */
  readonly callee: string | undefined;
  readonly start: number;
  readonly end: number;
  /** The events that count. Both numbers are equal without such an event. */
  readonly eventsStart: number;
  readonly eventsEnd: number;
}

/** A block or microblocks. The `head` of microblocks has no hash, and its height is -1. */
export interface CutPayload {
  chainId?: number | undefined;
  readonly kind: ChainEvent['kind'];
  readonly head: BlockHead;
  /** The number of transactions before the cut; undefined if no transaction was in a microblock. */
  readonly transactionCount: number | undefined;
  readonly transactions: readonly CutTransaction[];
  /**
   * The JSON of the transactions and, from `eventsAt`, of the events. Both are lists without brackets, with a comma
   * between two items.
   */
  readonly bytes: Uint8Array;
  readonly eventsAt: number;
  /** The number of transactions that are left out because their bytes have another id. */
  readonly misnamed: number;
}

/** The members of a payload without transactions. */
export const NO_ITEMS = { transactions: [], bytes: NO_CALLS, eventsAt: 0, misnamed: 0 } as const;

/** Returns a cut payload for a block without content. */
export function cutEmpty(head: BlockHead): CutPayload {
  const { chainId } = head;
  return {
    ...(chainId === undefined ? {} : { chainId }),
    kind: 'block',
    head,
    transactionCount: undefined,
    ...NO_ITEMS,
  };
}
