// Makes the payload that a node posts for a block with these executed transactions.
import { Cl, type ClarityValue } from '@stacks/transactions';
import { type SdkEvent, toEvent } from '../../support/simnet.ts';
import { blockJson, type Encoded, hashOf, type Json } from '../../support/transactions.ts';
import type { Network } from './accounts.ts';

/** The numbers to add to the simnet's heights, so that blocks of mainnet have heights in the right epoch. */
const OFFSETS: Readonly<Record<Network, { readonly height: number; readonly burnHeight: number }>> = {
  testnet: { height: 0, burnHeight: 0 },
  other: { height: 0, burnHeight: 0 },
  mainnet: { height: 5_000_000, burnHeight: 925_000 },
};
const OK_TRUE = '0x0703';
const ERR_NONE = '0x0809';

export interface Executed {
  /** The id of the contract that the transaction deploys; undefined for a call. */
  readonly deployed?: string;
  readonly transaction: Json;
  readonly events: readonly SdkEvent[];
}

/** A block as a node posts it, and the index run in which it arrives. */
export interface ChainBlock {
  readonly payload: Json;
  readonly height: number;
  readonly isOrphan: boolean;
  readonly run: number | 'never';
  /** The ids of the contracts that are deployed in the block. */
  readonly contracts: readonly string[];
}

/**
 * The height of a block, and labels of the block and its parent. The labels determine the hashes.
 */
export interface Slot {
  readonly id: string | number;
  readonly parent: string | number;
  readonly height: number;
}

interface TimedSlot extends Slot {
  /** The height of the burn block that began the tenure. */
  readonly burnHeight: number;
  readonly tenureHeight: number;
  /** The Unix time of the block in seconds. */
  readonly time: number;
  readonly burnTime: number;
}

export const succeeded = (encoded: Encoded, more: Json = {}): Json => ({
  ...encoded,
  status: 'success',
  raw_result: OK_TRUE,
  ...more,
});

export function called(
  encoded: Encoded,
  { result, events }: { result: ClarityValue; events: readonly SdkEvent[] },
): Executed {
  if (result.type === 'ok') return { transaction: succeeded(encoded, { raw_result: serialized(result) }), events };
  return { transaction: { ...encoded, status: 'abort_by_response', raw_result: serialized(result) }, events: [] };
}

/** Returns a transaction that was aborted by a runtime error or by its post-conditions. */
export function aborted(encoded: Encoded, by: 'response' | 'post_condition' = 'response'): Executed {
  const raw_result = by === 'response' ? ERR_NONE : OK_TRUE;
  return { transaction: { ...encoded, status: `abort_by_${by}`, raw_result }, events: [] };
}

export function payloadOf(network: Network, slot: TimedSlot, executed: readonly Executed[]): Json {
  const { id, parent, height, burnHeight, tenureHeight, time, burnTime } = slot;
  const offset = OFFSETS[network];
  const events = executed.flatMap(({ transaction, events: some }) =>
    some.map((event) => toEvent(transaction.txid, event)),
  );
  return blockJson({
    id,
    parent,
    height: height + offset.height,
    burnHeight: burnHeight + offset.burnHeight,
    burnTime,
    events: events.map((event, event_index) => ({ ...event, event_index })),
    transactions: executed.map(({ transaction }) => ({ contract_interface: null, ...transaction })),
    fields: {
      block_time: time,
      burn_block_hash: hashOf(`burn block ${burnHeight}`),
      tenure_height: tenureHeight + offset.burnHeight,
    },
  });
}

function serialized(value: ClarityValue): string {
  return `0x${Cl.serialize(value)}`;
}
