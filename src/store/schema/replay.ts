// Tables for replaying calls: watches, functions that were ever called, and the calls.
import { blob, flag, generated, hash, integer, keyed, nullable, table, text } from '#sqlite/tables.ts';

export const REPLAY = {
  /** A data variable or map read by a getter, or by a function that writes such a variable. */
  watched_variable: keyed(
    {
      contract_id: text(),
      name: text(),
      /** 0 in contracts that getters read; otherwise the number of calls to reach one. */
      distance: integer(),
      /** True if no call that may write it came before it was watched. */
      is_whole: flag(),
    },
    'primary key (contract_id, name)',
  ),

  /** A function whose calls are recorded, because it may write watched variables. */
  watched_function: keyed({ contract_id: text(), name: text() }, 'primary key (contract_id, name)'),

  /** Recorded calls that may write variables of a contract, in units of 1,000 bytes, and whether some are missing. */
  recorded_calls: keyed({ contract_id: text('primary key'), units: integer(), left_out: flag() }),

  /** A function that a transaction called, or a contract that code or arguments may pass to a call on a trait. */
  seen: table({
    /** clarity/name-key.ts */
    key: integer('primary key'),
  }),

  /** A name, in code or in arguments, of a contract that may pass on a watched one (indexer/replay/watched.ts). */
  leading: table({ key: integer('primary key') }),

  /** A successful call of a watched function, or a deploy that makes one, on any fork. */
  call: table({
    call_id: generated(integer('primary key')),
    block_id: integer('references block'),
    tx_index: integer(),
    tx_id: hash(),
    /** Origin of the transaction. */
    sender_address: text(),
    sponsor_address: nullable(text()),
    contract_id: text(),
    /** Empty for a deploy. */
    function_name: text(),
    /** Encoded as in the transaction. */
    args: blob(),
    result: blob(),
    /** Event digests (clarity/event-digest.ts). */
    events: nullable(blob()),
  }).and(`create index call_block on call (block_id)`),

  /** A contract whose watched variables a call may write. */
  call_state: keyed(
    { contract_id: text(), call_id: integer('references call') },
    'primary key (contract_id, call_id)',
  ).and(`create index call_state_call on call_state (call_id)`),
};
