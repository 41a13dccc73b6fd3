// Gives contracts and images integer keys and jobs a column per part of their subject; drops the revisions that writers
// once moved by hand.

export const typedKeys: readonly string[] = [
  `create table new_contract (
    contract_key integer primary key,
    contract_id text not null unique,
    deploy_id integer not null references deploy,
    block_height integer not null,
    tx_index integer not null,
    canonical integer not null check (canonical in (0, 1)),
    confirmed integer not null check (confirmed in (0, 1))
  ) strict`,
  `insert into new_contract (contract_id, deploy_id, block_height, tx_index, canonical, confirmed)
    select contract_id, deploy_id, block_height, tx_index, canonical, confirmed from contract order by contract_id`,
  `drop table contract`,
  `alter table new_contract rename to contract`,
  `create index contract_unconfirmed on contract (contract_id) where confirmed = 0`,
  `create index contract_deploy on contract (deploy_id)`,
  `create index contract_not_canonical on contract (contract_id) where canonical = 0`,
  `create table new_image (
    image_id integer primary key,
    uri text not null unique,
    sha256 text,
    extension text,
    failure_code text,
    failure_message text,
    is_stale integer not null default 0 check (is_stale in (0, 1))
  ) strict`,
  `insert into new_image (uri, sha256, extension, failure_code, failure_message, is_stale)
    select uri, sha256, extension, failure_code, failure_message, is_stale from image order by uri`,
  `drop table image`,
  `alter table new_image rename to image`,
  `delete from info where key = 'revision'`,
  `create table new_job (
    job_id integer primary key,
    kind text not null,
    token_id integer references token,
    contract_id text not null default '',
    locale text not null default '',
    getters text,
    list_offset integer not null default 0,
    attempts integer not null default 0,
    failure_code text,
    failure_message text,
    stack text,
    next_attempt_at integer not null default 0,
    repeats integer not null default 0
  ) strict`,
  `insert or ignore into new_job
    select job_id, kind, token_id, contract_id,
      iif(kind in ('fetch-document', 'fetch-image'), part, ''),
      iif(kind = 'read-values', '["' || replace(part, ' ', '","') || '"]', null),
      iif(kind = 'list-tokens', cast(part as integer), 0),
      attempts, failure_code, failure_message, stack, next_attempt_at, repeats from job`,
  `drop table job`,
  `alter table new_job rename to job`,
  `create index job_due on job (kind, next_attempt_at, job_id)`,
  `create unique index job_of_token on job (token_id, kind, locale) where token_id is not null`,
  `create unique index job_without_token on job (kind, contract_id, list_offset) where token_id is null`,
];
