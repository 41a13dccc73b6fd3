// Tables for replaying calls: the calls on every fork, their shapes, and the variables that each shape may write.
import { blob, flag, generated, hash, integer, keyed, nullable, table, text } from '#sqlite/tables.ts';

export const REPLAY = {
  /** A principal that is the origin or the sponsor of a call. */
  sender: table({
    sender_id: integer('primary key'),
    /** Version and hash160 of the address, in bytes. */
    principal: blob('unique'),
  }),

  /** A shape: a called function with the contracts among its arguments. A deploy with calls is also a shape. */
  call_shape: table(
    {
      shape_id: generated(integer('primary key')),
      contract_id: text(),
      /** The name of the called function; empty for a deploy. */
      function_name: text(),
      /** Ids of the contracts among the arguments, sorted and joined by spaces; empty if the function calls none. */
      passed: text(),
      /** 1 once the variables that the shape may write are stored in {@link REPLAY.shape_write}. */
      is_placed: generated(flag('default 0')),
    },
    'unique (contract_id, function_name, passed)',
  ).and(`create index call_shape_new on call_shape (shape_id) where is_placed = 0`),

  /** A variable that a shape may write on any fork, or the marker of a called contract whose code is unknown. */
  shape_write: keyed(
    {
      /** Key of the variable (clarity/name-key.ts). */
      variable_key: integer(),
      shape_id: integer('references call_shape'),
    },
    'primary key (variable_key, shape_id)',
  ).and(`create index shape_write_shape on shape_write (shape_id)`),

  /** A successful call of a function that may write variables, on any fork. */
  call: keyed(
    {
      block_id: integer(),
      tx_index: integer(),
      shape_id: integer('references call_shape'),
      sender_id: integer('references sender'),
      sponsor_id: nullable(integer('references sender')),
      tx_id: hash(),
      /** The arguments, encoded as in the transaction. */
      args: blob(),
      /** Digest of the result and the events (clarity/event-digest.ts). */
      outcome: blob(),
    },
    'primary key (block_id, tx_index)',
  ).and(`create index call_shape_calls on call (shape_id)`),
};
