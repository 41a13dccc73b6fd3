// Creates the tables of the index; src/store/schema.ts describes each column.

export const initial: readonly string[] = [
  `create table info (key text primary key, value text not null) strict, without rowid`,

  `create table block (
    block_id integer primary key,
    index_block_hash blob not null unique check (length(index_block_hash) = 32),
    parent_index_block_hash blob not null,
    height integer not null,
    burn_block_height integer not null,
    canonical integer not null check (canonical in (0, 1))
  ) strict`,
  `create index block_parent on block (parent_index_block_hash)`,
  `create index block_canonical_height on block (height) where canonical = 1`,

  `create table deploy (
    deploy_id integer primary key,
    tx_id blob not null unique check (length(tx_id) = 32),
    contract_id text not null,
    sender_address text not null,
    clarity_version integer,
    epoch text,
    standard text
  ) strict`,
  `create index deploy_contract on deploy (contract_id)`,
  `create table deploy_code (
    deploy_id integer primary key references deploy,
    source_code text not null,
    interface text
  ) strict`,
  `create table inclusion (
    inclusion_id integer primary key,
    deploy_id integer not null references deploy,
    block_id integer references block,
    microblock_parent blob,
    tx_index integer not null,
    check ((block_id is null) <> (microblock_parent is null)),
    unique (deploy_id, block_id),
    unique (deploy_id, microblock_parent)
  ) strict`,
  `create index inclusion_block on inclusion (block_id) where block_id is not null`,
  `create index inclusion_microblock on inclusion (microblock_parent) where microblock_parent is not null`,

  `create table contract (
    contract_id text primary key,
    deploy_id integer not null references deploy,
    block_height integer not null,
    tx_index integer not null,
    canonical integer not null check (canonical in (0, 1)),
    confirmed integer not null check (confirmed in (0, 1)),
    revision integer not null
  ) strict`,
  `create index contract_revision on contract (revision)`,
  `create index contract_unconfirmed on contract (contract_id) where confirmed = 0`,

  `create table token (
    token_id integer primary key,
    deploy_id integer not null references deploy,
    token_number text not null,
    state text not null check (state in ('queued', 'complete', 'partial', 'error')),
    name text,
    symbol text,
    decimals integer,
    total_supply text,
    token_uri text,
    value_source text check (value_source in ('vm', 'node')),
    value_partial integer not null default 0,
    supply_assets text,
    getter_failures text,
    failure_code text,
    failure_message text,
    unique (deploy_id, token_number)
  ) strict`,
  `create table document (
    token_id integer not null references token,
    locale text not null,
    uri text,
    document text,
    failure_code text,
    failure_message text,
    warnings text,
    primary key (token_id, locale)
  ) strict`,
  `create table job (
    job_id integer primary key,
    kind text not null,
    token_id integer not null references token,
    locale text not null default '',
    attempts integer not null default 0,
    failure_code text,
    failure_message text,
    stack text,
    unique (token_id, kind, locale)
  ) strict`,
  `create index job_kind on job (kind, job_id)`,

  `create table asset_supply (asset_identifier text primary key, amount text not null) strict, without rowid`,
  `create table supply_change (
    block_id integer not null references block,
    asset_identifier text not null,
    amount text not null,
    primary key (block_id, asset_identifier)
  ) strict, without rowid`,

  `create table notification (
    notification_id integer primary key,
    block_id integer not null references block,
    tx_id blob not null,
    event_index integer not null,
    emitter text not null,
    contract_id text not null,
    token_class text not null,
    token_numbers text,
    update_mode text not null,
    ttl_seconds integer,
    entitled integer not null check (entitled in (0, 1)),
    unique (block_id, tx_id, event_index)
  ) strict`,

  `create table archive (
    archive_id integer primary key,
    prefix_bytes integer not null,
    prefix_hash text not null,
    last_line_offset integer not null,
    last_line_hash text not null,
    next_offset integer not null,
    next_line integer not null
  ) strict`,
  `create table counter (name text primary key, value integer not null) strict, without rowid`,
  `create table chain_failure (
    code text not null,
    subject text not null,
    message text not null,
    primary key (code, subject)
  ) strict, without rowid`,
  `create table run (
    command text primary key,
    started_at integer not null,
    finished_at integer,
    outcome text,
    summary text not null
  ) strict, without rowid`,
];
