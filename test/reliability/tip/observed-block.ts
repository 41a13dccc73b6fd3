// Makes the payload that a node posts for a block from the transactions executed in it.
import { Cl, type ClarityValue } from '@stacks/transactions';
import { blockJson, hashOf, type Json } from '../../support/observer-lines.ts';
import type { Encoded, Network } from './encode-transaction.ts';
import type { SdkEvent } from './open-simnet.ts';

/** Added to the simnet's heights, so that mainnet blocks have heights of the simnet's epoch. */
const OFFSETS: Readonly<Record<Network, { readonly height: number; readonly burnHeight: number }>> = {
  testnet: { height: 0, burnHeight: 0 },
  other: { height: 0, burnHeight: 0 },
  mainnet: { height: 5_000_000, burnHeight: 925_000 },
};
const OK_TRUE = '0x0703';
const ERR_NONE = '0x0809';

export interface Executed {
  /** Id of the deployed contract, if the transaction deploys one. */
  readonly deployed?: string;
  readonly transaction: Json;
  readonly events: readonly SdkEvent[];
}

/** A block as a node posts it, with the number of the index run in which it arrives. */
export interface ChainBlock {
  readonly payload: Json;
  readonly height: number;
  readonly isOrphan: boolean;
  readonly run: number | 'never';
  /** Ids of the contracts deployed in the block. */
  readonly contracts: readonly string[];
}

/** Labels of a block and its parent, used to compute their hashes, and the block's height. */
export interface Slot {
  readonly id: string | number;
  readonly parent: string | number;
  readonly height: number;
}

interface TimedSlot extends Slot {
  /** Height of the burn block in which the tenure begins. */
  readonly burnHeight: number;
  readonly tenureHeight: number;
  /** Unix time in seconds. */
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

/** Returns a transaction aborted by a runtime error or by its post-conditions. */
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
  const block = blockJson({
    id,
    parent,
    height: height + offset.height,
    burnHeight: burnHeight + offset.burnHeight,
    burnTime,
    events: events.map((event, event_index) => ({ ...event, event_index })),
    transactions: executed.map(({ transaction }) => ({ contract_interface: null, ...transaction })),
  });
  const burn_block_hash = hashOf(`burn block ${burnHeight}`);
  return { ...block, block_time: time, burn_block_hash, tenure_height: tenureHeight + offset.burnHeight };
}

function serialized(value: ClarityValue): string {
  return `0x${Cl.serialize(value)}`;
}

function toEvent(txid: unknown, { event, data }: SdkEvent): Json {
  const { value: _, ...body } = data as Json;
  const type = event === 'print_event' ? 'contract_event' : event;
  return { txid, committed: true, type, [type]: body };
}
