// Tables of pending work and of the last run of each command.
import type { JobKind } from '#model/job.ts';
import { type Column, FAILURE, generated, integer, keyed, nullable, oneOf, table, text } from '#sqlite/tables.ts';

/** SQL that queues a job again like a new job. An attempt in progress then does not delete the job. */
export const RESET_JOB = `generation = generation + 1, attempts = 0, repeats = 0, next_attempt_at = 0,
  stack = null, failure_code = null, failure_message = null`;

const insertEvaluations = (tokenIds: string) =>
  `insert into job (kind, token_id) select distinct 'evaluate-token', token_id from ${tokenIds}
      on conflict do update set ${RESET_JOB};`;
const queueEvaluations = (contractIds: string) => `begin
    ${insertEvaluations(`evaluation_input where contract_id in (${contractIds})`)}
  end`;

const CONTRACT_ID = 'select new.contract_id';
const DEPLOYED_ID = 'select contract_id from contract where deploy_id = new.deploy_id';
/**
 * SQL that selects the contracts that a block deploys. Their tokens are evaluated again if the block is orphaned or
 * adopted, because the same deploy sees other heights in another block.
 */
const DEPLOYED_IN = `select contract_id from deploy
  where deploy_id in (select deploy_id from inclusion where block_id = new.block_id)`;
const CALLED_IN = `evaluation_variable where variable_key in (select variable_key from kind_write
  where kind_id in (select kind_id from call where block_id = new.block_id))`;

export const WORK = {
  /** A pending job. model/job.ts describes each kind. */
  job: table({
    job_id: generated(integer('primary key')),
    kind: oneOf<JobKind>(),
    token_id: nullable(integer('references token')),
    contract_id: generated(text(`default ''`)),
    /** Locale of a document or an image. */
    locale: generated(text(`default ''`)),
    getters: nullable(text()),
    list_offset: generated(integer('default 0')),
    /** Increases when the job is queued again. An attempt deletes the job only if the generation is unchanged. */
    generation: generated(integer('default 0')),
    attempts: generated(integer('default 0')),
    /** Stack trace of the last attempt, if the attempt hit a bug. */
    stack: nullable(text()),
    /** Milliseconds since the epoch; 0 means now. */
    next_attempt_at: generated(integer('default 0')),
    /** Number of consecutive attempts that failed with the same code. */
    repeats: generated(integer('default 0')),
    ...FAILURE,
  }).and(
    `create index job_due on job (kind, next_attempt_at, job_id)`,
    `create unique index job_of_token on job (token_id, kind, locale) where token_id is not null`,
    `create unique index job_without_token on job (kind, contract_id, list_offset) where token_id is null`,
  ),

  /** A contract that a token's last evaluation read or looked for. If it changes, triggers queue the token again. */
  evaluation_input: keyed(
    { contract_id: text(), token_id: integer('references token') },
    'primary key (contract_id, token_id)',
  ).and(
    `create index evaluation_input_token on evaluation_input (token_id)`,
    // The condition saves half of the trigger's time: one second for mainnet's 100,000 contracts.
    `create trigger evaluation_contract_inserted after insert on contract
    when exists (select 1 from evaluation_input where contract_id = new.contract_id) ${queueEvaluations(CONTRACT_ID)}`,
    `create trigger evaluation_contract_updated
    after update of deploy_id, block_height, tx_index, canonical, confirmed, clarity_version, epoch on contract
    ${queueEvaluations(CONTRACT_ID)}`,
    // The new deploy may be on another fork, but if blocks are missing, that fork may be the canonical chain.
    `create trigger evaluation_deploy_inserted after insert on deploy
    when exists (select 1 from contract where contract_id = new.contract_id) ${queueEvaluations(CONTRACT_ID)}`,
    `create trigger evaluation_code_updated after update of code on deploy_code ${queueEvaluations(DEPLOYED_ID)}`,
    `create trigger evaluation_block_flipped after update of canonical on block ${queueEvaluations(DEPLOYED_IN)}`,
  ),

  /** A variable that may decide a value of a token. If a call writes the variable, the token is evaluated again. */
  evaluation_variable: keyed(
    {
      /** Key of the variable (clarity/name-key.ts). */
      variable_key: integer(),
      token_id: integer('references token'),
    },
    'primary key (variable_key, token_id)',
  ).and(
    `create index evaluation_variable_token on evaluation_variable (token_id)`,
    `create trigger evaluation_call_flipped after update of canonical on block begin
    ${insertEvaluations(CALLED_IN)}
  end`,
  ),

  /** The result of the last run of each command, JSON. */
  run: keyed({ command: text('primary key') as Column<'index' | 'build'>, result: text() }),
};
