// Tables for replaying calls: the calls on every fork, their kinds, and the variables that each kind may write.
import { blob, flag, generated, hash, integer, keyed, table, text } from '#sqlite/tables.ts';

export const REPLAY = {
  /** A principal that is the origin of a call. */
  sender: table({
    sender_id: integer('primary key'),
    /** Version and hash160 of the address, in bytes. */
    principal: blob('unique'),
  }),

  /** A kind of call: a function with the contracts among its arguments. A deploy with calls is also a kind of call. */
  call_kind: table(
    {
      kind_id: generated(integer('primary key')),
      contract_id: text(),
      /** The name of the called function; empty for a deploy. */
      function_name: text(),
      /** Ids of the contracts among the arguments, sorted and joined by spaces; empty if the function calls none. */
      passed: text(),
      /** 1 once the variables that the kind may write are stored in {@link REPLAY.kind_write}. */
      writes_known: generated(flag('default 0')),
    },
    'unique (contract_id, function_name, passed)',
  ).and(`create index call_kind_new on call_kind (kind_id) where writes_known = 0`),

  /** A variable that a kind may write on any fork, or the marker of a called contract whose code is unknown. */
  kind_write: keyed(
    {
      /** Key of the variable (clarity/name-key.ts). */
      variable_key: integer(),
      kind_id: integer('references call_kind'),
    },
    'primary key (variable_key, kind_id)',
  ).and(`create index kind_write_kind on kind_write (kind_id)`),

  /** A successful call of a function that may write variables, on any fork. */
  call: keyed(
    {
      block_id: integer(),
      tx_index: integer(),
      kind_id: integer('references call_kind'),
      sender_id: integer('references sender'),
      tx_id: hash(),
      /** The arguments, encoded as in the transaction. */
      args: blob(),
      /** Digest of the result and the events (clarity/event-digest.ts). */
      outcome: blob(),
    },
    'primary key (block_id, tx_index)',
  ).and(`create index call_of_kind on call (kind_id)`),
};
