// Makes blocks as a node's observer stores them in Postgres, including fields that an index does not use.
import { blockJson, hashOf, type Json, type Transaction } from '../../test/support/transactions.ts';

export interface Transacted {
  readonly transaction: Transaction;
  readonly events: readonly Json[];
  /** True for a failed transaction, which does not have events. */
  readonly isFailed: boolean;
}

export const BLOCKS_PER_BURN_BLOCK = 10;
const SIGNERS = 20;
const COST = { runtime: 12_345_678, read_count: 21, read_length: 54_321, write_count: 5, write_length: 321 };

const hash = (text: string) => hashOf(text).slice(2);
const signatures = Array.from({ length: SIGNERS }, (_, signer) => `${hash(`s ${signer}`)}${hash(`t ${signer}`)}00`);

/** Returns a block. `recipient` receives the matured reward. */
export function blockOf(height: number, transacted: readonly Transacted[], recipient: string): Json {
  const events = transacted.flatMap(({ transaction, events, isFailed }) =>
    (isFailed ? [] : events).map((event) => ({ txid: transaction.txid, committed: true, ...event })),
  );
  const burnHeight = 845_000 + Math.floor(height / BLOCKS_PER_BURN_BLOCK);
  const fields = {
    block_time: 1_716_000_000 + 10 * height,
    miner_txid: hashOf(`miner ${height}`),
    reward_set: null,
    cycle_number: null,
    anchored_cost: COST,
    signer_bitvec: '000a00000001ff',
    tenure_height: height,
    consensus_hash: `0x${hash(`consensus ${height}`).slice(0, 40)}`,
    burn_block_hash: hashOf(`burn ${burnHeight}`),
    miner_signature: `0x${hash(`a ${height}`)}${hash(`b ${height}`)}01`,
    signer_signature: signatures,
    parent_block_hash: hashOf(`block ${height - 1}`),
    parent_microblock: `0x${'00'.repeat(32)}`,
    pox_v1_unlock_height: 781_552,
    pox_v2_unlock_height: 787_652,
    pox_v3_unlock_height: 840_361,
    matured_miner_rewards: [
      {
        recipient,
        coinbase_amount: '1000000000',
        tx_fees_anchored: '123456',
        from_index_block_hash: hashOf(height - 100),
        from_stacks_block_hash: hashOf(`block ${height - 100}`),
        tx_fees_streamed_confirmed: '0',
        tx_fees_streamed_produced: '0',
      },
    ],
    signer_signature_hash: hashOf(`block ${height}`),
    parent_burn_block_hash: hashOf(`burn ${burnHeight - 1}`),
    parent_burn_block_height: burnHeight - 1,
    confirmed_microblocks_cost: COST,
    parent_microblock_sequence: 0,
    parent_burn_block_timestamp: 1_716_000_000 + 600 * (burnHeight - 1),
  };
  return blockJson({
    height,
    burnHeight,
    burnTime: 1_716_000_000 + 600 * burnHeight,
    fields,
    events: events.map((event, event_index) => ({ ...event, event_index })),
    transactions: transacted.map(({ transaction, isFailed }) => ({
      ...transaction,
      vm_error: null,
      raw_result: isFailed ? '0x080100000000000000000000000000000001' : '0x0703',
      execution_cost: COST,
      microblock_hash: null,
      microblock_sequence: null,
      microblock_parent_hash: null,
      status: isFailed ? 'abort_by_response' : 'success',
    })),
  });
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
