// Adds what nodes and APIs return: one reading per getter (in place of the token's value columns), reports about
// contracts, a token list, and jobs that have no token yet.

/** Getters and the columns that held their values. */
const VALUE_COLUMNS = [
  ['get-name', 'name'],
  ['get-symbol', 'symbol'],
  ['get-decimals', 'decimals'],
  ['get-total-supply', 'total_supply'],
  ['get-token-uri', 'token_uri'],
] as const;

export const sources: readonly string[] = [
  `create table reading (
    token_id integer not null references token,
    getter text not null,
    source text not null check (source in ('node', 'token-list', 'vm')),
    rank integer not null,
    height integer,
    partial integer not null default 0 check (partial in (0, 1)),
    value text,
    failure_code text,
    failure_message text,
    primary key (token_id, getter)
  ) strict, without rowid`,
  `create index reading_failure on reading (failure_code) where failure_code is not null`,
  `insert into reading (token_id, getter, source, rank, partial, failure_code, failure_message)
    select token.token_id, json_extract(failure.value, '$.getter'), 'vm', 0, token.value_partial,
      json_extract(failure.value, '$.code'), json_extract(failure.value, '$.message')
    from token, json_each(token.getter_failures) as failure where token.value_source is not null`,
  `insert or ignore into reading (token_id, getter, source, rank, partial, failure_code, failure_message)
    select token_id, 'get-total-supply', 'vm', 0, 1, 'supply-not-known',
      'The contract ran only in part, so what its supply was after the deploy is not known.'
    from token where value_source is not null and value_partial = 1 and supply_assets is null`,
  ...VALUE_COLUMNS.map(
    ([getter, column]) => `insert or ignore into reading (token_id, getter, source, rank, partial, value)
    select token_id, '${getter}', 'vm', 1, value_partial, cast(${column} as text) from token
    where value_source is not null and ('${getter}' <> 'get-total-supply' or supply_assets is null)`,
  ),
  ...[...VALUE_COLUMNS.map(([, column]) => column), 'value_source', 'value_partial', 'getter_failures'].map(
    (column) => `alter table token drop column ${column}`,
  ),
  `alter table token add column values_read_at integer`,
  `alter table image add column is_stale integer not null default 0 check (is_stale in (0, 1))`,

  `create table report (
    contract_id text primary key,
    deploy_id integer references deploy,
    block_height integer,
    canonical integer check (canonical in (0, 1)),
    tip_height integer,
    failure_code text,
    failure_message text,
    check ((deploy_id is null) = (failure_code is not null))
  ) strict, without rowid`,
  `create table listed_token (
    contract_id text primary key,
    name text,
    symbol text,
    decimals text,
    total_supply text,
    token_uri text
  ) strict, without rowid`,

  `create table new_job (
    job_id integer primary key,
    kind text not null,
    token_id integer references token,
    contract_id text not null default '',
    part text not null default '',
    attempts integer not null default 0,
    failure_code text,
    failure_message text,
    stack text,
    next_attempt_at integer not null default 0,
    repeats integer not null default 0
  ) strict`,
  `insert into new_job (job_id, kind, token_id, part, attempts, failure_code, failure_message, stack, next_attempt_at)
    select job_id, kind, token_id, locale, attempts, failure_code, failure_message, stack, next_attempt_at from job`,
  `drop table job`,
  `alter table new_job rename to job`,
  `create index job_due on job (kind, next_attempt_at, job_id)`,
  `create unique index job_of_token on job (token_id, kind, part) where token_id is not null`,
  `create unique index job_without_token on job (kind, contract_id, part) where token_id is null`,
];
