// Makes anew what is kept to replay calls: what is watched, which functions were ever called, and who calls whom.

export const replay: readonly string[] = [
  `drop trigger evaluation_call_inserted`,
  `drop table watched_variable`,
  `create table watched_variable (
    contract_id text not null,
    name text not null,
    distance integer not null,
    is_whole integer not null,
    primary key (contract_id, name)
  ) strict, without rowid`,
  `create table recorded_calls (
    contract_id text primary key,
    units integer not null,
    left_out integer not null
  ) strict, without rowid`,
  `create table called_function (
    key integer primary key
  ) strict`,
  `create table code_reference (
    key integer not null,
    deploy_id integer not null references deploy,
    primary key (key, deploy_id)
  ) strict, without rowid`,
  `create index token_queued on token (deploy_id) where state = 'queued' and token_number <> ''`,
  `alter table call add column sponsor_address text`,
  `alter table call add column events blob`,
  `alter table inclusion add column sponsor_address text`,
  `alter table inclusion add column events blob`,
];
