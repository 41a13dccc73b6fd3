// Adds the contract calls that may change what a token's getters read, and what is watched to find them.
import { queueEvaluations } from './0011-forks.ts';

const changedBy = (calls: string) => `select contract_id from call_state where call_id in (${calls})`;

export const calls: readonly string[] = [
  `create table watched_variable (
    contract_id text not null,
    name text not null,
    since_height integer not null,
    primary key (contract_id, name)
  ) strict, without rowid`,
  `create table watched_function (
    contract_id text not null,
    name text not null,
    primary key (contract_id, name)
  ) strict, without rowid`,
  `create table call (
    call_id integer primary key,
    block_id integer not null references block,
    tx_index integer not null,
    tx_id blob not null check (length(tx_id) = 32),
    sender_address text not null,
    contract_id text not null,
    function_name text not null,
    args blob not null,
    result blob not null
  ) strict`,
  `create index call_block on call (block_id)`,
  // The contracts whose watched variables a call may write.
  `create table call_state (
    contract_id text not null,
    call_id integer not null references call,
    primary key (contract_id, call_id)
  ) strict, without rowid`,
  `create index call_state_call on call_state (call_id)`,
  `create trigger evaluation_call_inserted after insert on call_state ${queueEvaluations('select new.contract_id')}`,
  `create trigger evaluation_block_flipped after update of canonical on block
    ${queueEvaluations(changedBy('select call_id from call where block_id = new.block_id'))}`,
  `alter table reading add column calls integer`,
  // Of the blocks that are stored, no calls were recorded.
  `insert into info (key, value) select 'calls_missing_up_to', max(block_id) from block having max(block_id) is not null`,
];
