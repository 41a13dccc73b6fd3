// What forks decide is derived from what is canonical: a transaction that ran under the rules of two epochs is two
// deploys, the update mode is that of the last canonical notification, and an evaluation is due again when something
// that it read changes.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const forks: Migration = { up };

async function up(db: Kysely<unknown>): Promise<void> {
  await replaceDeployTable(db);
  for (const statement of [...UPDATE_MODES, ...EVALUATION_INPUTS]) await sql.raw(statement).execute(db);
}

/** `tx_id` was unique. */
async function replaceDeployTable(db: Kysely<unknown>): Promise<void> {
  const { rows: triggers } = await sql<{ sql: string }>`
    select sql from sqlite_master where type = 'trigger' and tbl_name = 'deploy'`.execute(db);
  const statements = [
    // What refers to `deploy` by name refers to the new table.
    `pragma legacy_alter_table = on`,
    `create table new_deploy (
      deploy_id integer primary key,
      tx_id blob not null check (length(tx_id) = 32),
      contract_id text not null,
      sender_address text not null,
      clarity_version integer,
      epoch text,
      standard text
    ) strict`,
    `insert into new_deploy
      select deploy_id, tx_id, contract_id, sender_address, clarity_version, epoch, standard from deploy`,
    `drop table deploy`,
    `alter table new_deploy rename to deploy`,
    `pragma legacy_alter_table = off`,
    `create index deploy_transaction on deploy (tx_id)`,
    `create index deploy_contract on deploy (contract_id)`,
    `create index deploy_standard on deploy (standard) where standard is not null`,
    ...triggers.map((trigger) => trigger.sql),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const UPDATE_MODES = [
  `alter table token drop column update_mode`,
  `alter table token drop column ttl_seconds`,
  `create view update_mode as
    select contract_id, update_mode, ttl_seconds from (
      select notification.*, row_number() over (
        partition by contract_id order by block.height desc, notification_id desc
      ) as place
      from notification join block using (block_id)
      where block.canonical = 1 and entitled = 1 and token_class = 'ft'
    ) where place = 1`,
];

/** Anew, so that a job that is under way does not settle what has changed since. */
export const queueEvaluations = (contractIds: string) => {
  const tokens = `select token_id from evaluation_input where contract_id in (${contractIds})`;
  return `begin
    delete from job where kind = 'evaluate-token' and token_id in (${tokens});
    insert into job (kind, token_id) select distinct 'evaluate-token', token_id from (${tokens});
  end`;
};

const ofContract = (row: string) => `select ${row}.contract_id`;
const ofDeploy = (row: string) => `select contract_id from contract where deploy_id = ${row}.deploy_id`;

const EVALUATION_INPUTS = [
  `create table evaluation_input (
    contract_id text not null,
    token_id integer not null references token,
    primary key (contract_id, token_id)
  ) strict, without rowid`,
  `create index evaluation_input_token on evaluation_input (token_id)`,
  `create trigger evaluation_contract_inserted after insert on contract ${queueEvaluations(ofContract('new'))}`,
  `create trigger evaluation_contract_updated
    after update of deploy_id, block_height, tx_index, canonical, confirmed on contract
    ${queueEvaluations(ofContract('new'))}`,
  `create trigger evaluation_deploy_updated after update of clarity_version, epoch on deploy
    when old.clarity_version is not new.clarity_version or old.epoch is not new.epoch
    ${queueEvaluations(ofDeploy('new'))}`,
  `create trigger evaluation_code_updated after update of code on deploy_code ${queueEvaluations(ofDeploy('new'))}`,
  // What evaluations read so far is not known.
  `insert or ignore into job (kind, token_id) select distinct 'evaluate-token', token_id from reading where source = 'vm'`,
];
