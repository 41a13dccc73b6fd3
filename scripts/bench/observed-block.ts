// Makes blocks as a node's observer stores them in Postgres, including fields that an index does not use.
import crypto from 'node:crypto';

export type Json = Record<string, unknown>;

export interface Transacted {
  readonly transaction: { readonly txid: string };
  readonly events: readonly Json[];
  /** The index of the transaction in its block. */
  readonly place: number;
  /** True for a failed transaction, which does not have events. */
  readonly isFailed: boolean;
}

export const BLOCKS_PER_BURN_BLOCK = 10;
const SIGNERS = 20;
const COST = { runtime: 12_345_678, read_count: 21, read_length: 54_321, write_count: 5, write_length: 321 };

export const hash = (text: string) => crypto.hash('sha256', text);

const signatures = Array.from({ length: SIGNERS }, (_, signer) => `${hash(`s ${signer}`)}${hash(`t ${signer}`)}00`);

/** Returns a block. `recipient` receives the matured reward. */
export function blockOf(height: number, transacted: readonly Transacted[], recipient: string): Json {
  const events = transacted.flatMap(({ transaction, events, isFailed }) =>
    (isFailed ? [] : events).map((event) => ({ txid: transaction.txid, committed: true, ...event })),
  );
  const blockHash = (at: number) => `0x${hash(`block ${at}`)}`;
  const burnHeight = 845_000 + Math.floor(height / BLOCKS_PER_BURN_BLOCK);
  return {
    events: events.map((event, event_index) => ({ ...event, event_index })),
    block_hash: `0x${hash(`own ${height}`)}`,
    block_time: 1_716_000_000 + 10 * height,
    miner_txid: `0x${hash(`miner ${height}`)}`,
    reward_set: null,
    block_height: height,
    cycle_number: null,
    transactions: transacted.map(({ transaction, place, isFailed }) => ({
      ...transaction,
      vm_error: null,
      raw_result: isFailed ? '0x080100000000000000000000000000000001' : '0x0703',
      burnchain_op: null,
      execution_cost: COST,
      microblock_hash: null,
      microblock_sequence: null,
      microblock_parent_hash: null,
      status: isFailed ? 'abort_by_response' : 'success',
      tx_index: place,
    })),
    anchored_cost: COST,
    signer_bitvec: '000a00000001ff',
    tenure_height: height,
    consensus_hash: `0x${hash(`consensus ${height}`).slice(0, 40)}`,
    burn_block_hash: `0x${hash(`burn ${burnHeight}`)}`,
    burn_block_time: 1_716_000_000 + 600 * burnHeight,
    miner_signature: `0x${hash(`a ${height}`)}${hash(`b ${height}`)}01`,
    index_block_hash: blockHash(height),
    signer_signature: signatures,
    burn_block_height: burnHeight,
    parent_block_hash: `0x${hash(`own ${height - 1}`)}`,
    parent_microblock: `0x${'00'.repeat(32)}`,
    pox_v1_unlock_height: 781_552,
    pox_v2_unlock_height: 787_652,
    pox_v3_unlock_height: 840_361,
    matured_miner_rewards: [
      {
        recipient,
        coinbase_amount: '1000000000',
        tx_fees_anchored: '123456',
        from_index_block_hash: blockHash(height - 100),
        from_stacks_block_hash: `0x${hash(`own ${height - 100}`)}`,
        tx_fees_streamed_confirmed: '0',
        tx_fees_streamed_produced: '0',
      },
    ],
    signer_signature_hash: `0x${hash(`own ${height}`)}`,
    parent_burn_block_hash: `0x${hash(`burn ${burnHeight - 1}`)}`,
    parent_index_block_hash: blockHash(height - 1),
    parent_burn_block_height: burnHeight - 1,
    confirmed_microblocks_cost: COST,
    parent_microblock_sequence: 0,
    parent_burn_block_timestamp: 1_716_000_000 + 600 * (burnHeight - 1),
  };
}

/** Formats JSON like Postgres's jsonb: keys ordered by length and then by bytes, with spaces. */
export function jsonb(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonb).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(
    ([left], [right]) => left.length - right.length || (left < right ? -1 : 1),
  );
  return `{${members.map(([key, member]) => `"${key}": ${jsonb(member)}`).join(', ')}}`;
}
