// Tables for replaying calls: watches, functions that were ever called, and the calls.
import {
  blob,
  createTable,
  flag,
  generated,
  hash,
  integer,
  nullable,
  type Row,
  text,
  WITHOUT_ROWID,
} from './columns.ts';

/** A data variable or map read by a getter, or by a function that writes such a variable. */
const watchedVariable = {
  contract_id: text(),
  name: text(),
  /** 0 in contracts that getters read; otherwise the number of calls to reach one. */
  distance: integer(),
  /** True if no call that may write it came before it was watched. */
  is_whole: flag(),
};

/** A function whose calls are recorded, because it may write watched variables. */
const watchedFunction = { contract_id: text(), name: text() };

/** Recorded calls that may write variables of a contract, in units of 1,000 bytes, and whether some are missing. */
const recordedCalls = { contract_id: text('primary key'), units: integer(), left_out: flag() };

/** A function that a transaction called, or a contract that code or arguments may pass to a call on a trait. */
const seen = {
  /** clarity/name-key.ts */
  key: integer('primary key'),
};

/** A successful call of a watched function, or a deploy that makes one, on any fork. */
const call = {
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
};

/** A contract whose watched variables a call may write. */
const callState = { contract_id: text(), call_id: integer('references call') };

export interface ReplayTables {
  watched_variable: Row<typeof watchedVariable>;
  watched_function: Row<typeof watchedFunction>;
  recorded_calls: Row<typeof recordedCalls>;
  seen: Row<typeof seen>;
  call: Row<typeof call>;
  call_state: Row<typeof callState>;
}

export const REPLAY: readonly string[] = [
  createTable('watched_variable', watchedVariable, ['primary key (contract_id, name)'], WITHOUT_ROWID),
  createTable('watched_function', watchedFunction, ['primary key (contract_id, name)'], WITHOUT_ROWID),
  createTable('recorded_calls', recordedCalls, [], WITHOUT_ROWID),
  createTable('seen', seen),
  createTable('call', call),
  `create index call_block on call (block_id)`,
  createTable('call_state', callState, ['primary key (contract_id, call_id)'], WITHOUT_ROWID),
  `create index call_state_call on call_state (call_id)`,
];
