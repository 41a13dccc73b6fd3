// Tables for replaying calls: watches, functions that were ever called, and the calls.
import type { Generated } from 'kysely';
import type { Flag } from './columns.ts';

/** A data variable or map read by a getter, or by a function that writes such a variable. */
export interface WatchedVariableTable {
  contract_id: string;
  name: string;
  /** 0 in contracts that getters read; otherwise the number of calls to reach one. */
  distance: number;
  /** True if no call that may write it came before it was watched. */
  is_whole: Flag;
}

/** A function whose calls are recorded, because it may write watched variables. */
export interface WatchedFunctionTable {
  contract_id: string;
  name: string;
}

/** Recorded calls that may write variables of a contract, in units of 1,000 bytes, and whether some are missing. */
export interface RecordedCallsTable {
  contract_id: string;
  units: number;
  left_out: Flag;
}

/** A function that a transaction called, or a contract that code or arguments may pass to a call on a trait. */
export interface SeenTable {
  /** clarity/name-key.ts */
  key: number;
}

/** A successful call of a watched function, or a deploy that makes one, on any fork. */
export interface CallTable {
  call_id: Generated<number>;
  block_id: number;
  tx_index: number;
  tx_id: Buffer;
  /** Origin of the transaction. */
  sender_address: string;
  contract_id: string;
  /** Empty for a deploy. */
  function_name: string;
  /** Encoded as in the transaction. */
  args: Buffer;
  result: Buffer;
  sponsor_address: string | null;
  /** Event digests (clarity/event-digest.ts). */
  events: Buffer | null;
}

/** A contract whose watched variables a call may write. */
export interface CallStateTable {
  contract_id: string;
  call_id: number;
}

export const REPLAY: readonly string[] = [
  `create table watched_variable (
    contract_id text not null,
    name text not null,
    distance integer not null,
    is_whole integer not null,
    primary key (contract_id, name)
  ) strict, without rowid`,
  `create table watched_function (
    contract_id text not null,
    name text not null,
    primary key (contract_id, name)
  ) strict, without rowid`,
  `create table recorded_calls (
    contract_id text primary key,
    units integer not null,
    left_out integer not null
  ) strict, without rowid`,
  `create table seen (key integer primary key) strict`,
  `create table call (
    call_id integer primary key,
    block_id integer not null references block,
    tx_index integer not null,
    tx_id blob not null check (length(tx_id) = 32),
    sender_address text not null,
    sponsor_address text,
    contract_id text not null,
    function_name text not null,
    args blob not null,
    result blob not null,
    events blob
  ) strict`,
  `create index call_block on call (block_id)`,
  `create table call_state (
    contract_id text not null,
    call_id integer not null references call,
    primary key (contract_id, call_id)
  ) strict, without rowid`,
  `create index call_state_call on call_state (call_id)`,
];
