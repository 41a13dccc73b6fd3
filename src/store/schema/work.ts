// Tables of pending work and of the last run of each command.
import type { Generated } from 'kysely';
import type { JobKind } from '#model/job.ts';
import type { FailureColumns, Json, Time } from './columns.ts';

/** model/job.ts describes each kind. */
export interface JobTable extends FailureColumns {
  job_id: Generated<number>;
  kind: JobKind;
  token_id: number | null;
  contract_id: Generated<string>;
  /** Locale of a document or an image; for `list-numbers` the name of an asset. */
  locale: Generated<string>;
  /** List of getters. */
  getters: Json | null;
  list_offset: Generated<number>;
  attempts: Generated<number>;
  /** Stack of the last attempt, if it hit a bug. */
  stack: string | null;
  /** 0 means now. */
  next_attempt_at: Generated<Time>;
  /** Number of consecutive attempts that failed with this code. */
  repeats: Generated<number>;
}

/** A contract that a token's last evaluation read or looked for: if it changes, triggers queue the next one. */
export interface EvaluationInputTable {
  contract_id: string;
  token_id: number;
}

export interface RunTable {
  command: 'index' | 'build';
  started_at: Time;
  finished_at: Time | null;
  outcome: string | null;
  summary: Json;
}

/** Creates a new job, so that a job in progress does not finish newer changes. */
const queueEvaluations = (contractIds: string) => {
  const tokens = `select token_id from evaluation_input where contract_id in (${contractIds})`;
  return `begin
    delete from job where kind = 'evaluate-token' and token_id in (${tokens});
    insert into job (kind, token_id) select distinct 'evaluate-token', token_id from (${tokens});
  end`;
};

const OF_CONTRACT = 'select new.contract_id';
const OF_DEPLOY = 'select contract_id from contract where deploy_id = new.deploy_id';
const OF_CALLS_IN_BLOCK = `select contract_id from call_state
  where call_id in (select call_id from call where block_id = new.block_id)`;

export const WORK: readonly string[] = [
  `create table job (
    job_id integer primary key,
    kind text not null,
    token_id integer references token,
    contract_id text not null default '',
    locale text not null default '',
    getters text,
    list_offset integer not null default 0,
    attempts integer not null default 0,
    stack text,
    next_attempt_at integer not null default 0,
    repeats integer not null default 0,
    failure_code text,
    failure_message text
  ) strict`,
  `create index job_due on job (kind, next_attempt_at, job_id)`,
  `create unique index job_of_token on job (token_id, kind, locale) where token_id is not null`,
  `create unique index job_without_token on job (kind, contract_id, list_offset) where token_id is null`,

  `create table evaluation_input (
    contract_id text not null,
    token_id integer not null references token,
    primary key (contract_id, token_id)
  ) strict, without rowid`,
  `create index evaluation_input_token on evaluation_input (token_id)`,
  `create trigger evaluation_contract_inserted after insert on contract ${queueEvaluations(OF_CONTRACT)}`,
  `create trigger evaluation_contract_updated
    after update of deploy_id, block_height, tx_index, canonical, confirmed on contract
    ${queueEvaluations(OF_CONTRACT)}`,
  `create trigger evaluation_deploy_updated after update of clarity_version, epoch on deploy
    when old.clarity_version is not new.clarity_version or old.epoch is not new.epoch
    ${queueEvaluations(OF_DEPLOY)}`,
  `create trigger evaluation_code_updated after update of code on deploy_code ${queueEvaluations(OF_DEPLOY)}`,
  `create trigger evaluation_block_flipped after update of canonical on block ${queueEvaluations(OF_CALLS_IN_BLOCK)}`,

  `create table run (
    command text primary key,
    started_at integer not null,
    finished_at integer,
    outcome text,
    summary text not null
  ) strict, without rowid`,
];
