// Adds the change ledger: the revision at which each served entity last changed. Triggers write it, on every table that
// answers are made from.

const LEDGER = [
  `create table ledger (
    revision integer primary key,
    entity text not null check (entity in ('contract', 'token', 'work', 'image', 'status')),
    key any not null,
    unique (entity, key)
  ) strict`,
  `insert into ledger (entity, key) select 'contract', contract_key from contract`,
  `insert into ledger (entity, key) select 'token', token_id from token`,
  `insert into ledger (entity, key) select distinct 'image', sha256 from image where sha256 is not null`,
  `insert into ledger (entity, key) values ('status', 0)`,
  `create index image_copy on image (sha256) where sha256 is not null`,
  // Tokens whose deploy is served, canonical and confirmed. The cross join makes SQLite start from the fewer tokens.
  `create view served_token as
    select token.*, contract.contract_id from token cross join contract on contract.deploy_id = token.deploy_id
    where contract.canonical = 1 and contract.confirmed = 1`,
];

/** A table whose rows are part of an entity: it changes when a row comes, goes, or changes in these columns. */
export interface Recording {
  readonly entity: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** Another condition on `old` and `new` under which a row has changed. */
  readonly also?: string;
  /** Selects the keys of the entities whose answers show a row. */
  readonly keys: (row: 'new' | 'old') => string;
}

const contractOfDeploy = (row: string) => `select contract_key from contract where deploy_id = ${row}.deploy_id`;
const FAILURE = ['failure_code', 'failure_message'];

const RECORDINGS: readonly Recording[] = [
  {
    entity: 'contract',
    table: 'contract',
    columns: ['deploy_id', 'block_height', 'canonical', 'confirmed'],
    keys: (row) => `select ${row}.contract_key`,
  },
  {
    entity: 'contract',
    table: 'deploy',
    columns: ['sender_address', 'clarity_version', 'standard'],
    keys: contractOfDeploy,
  },
  {
    entity: 'contract',
    table: 'deploy_code',
    columns: ['code'],
    keys: contractOfDeploy,
  },
  {
    entity: 'token',
    table: 'token',
    columns: ['state', 'supply_assets', ...FAILURE],
    keys: (row) => `select ${row}.token_id`,
  },
  {
    entity: 'token',
    table: 'reading',
    columns: ['source', 'height', 'partial', 'value', ...FAILURE],
    keys: (row) => `select ${row}.token_id`,
  },
  {
    entity: 'token',
    table: 'document',
    columns: ['uri', 'document', 'warnings', ...FAILURE],
    keys: (row) => `select ${row}.token_id`,
  },
  {
    entity: 'token',
    table: 'image',
    columns: ['sha256', 'extension', ...FAILURE],
    keys: (row) => `select token_id from document where json_extract(document, '$.image') = ${row}.uri`,
  },
  {
    entity: 'token',
    table: 'asset_supply',
    columns: ['amount'],
    keys: (row) => `select token.token_id from contract join token on token.deploy_id = contract.deploy_id
      where contract.contract_id = substr(${row}.asset_identifier, 1, instr(${row}.asset_identifier, '::') - 1)`,
  },
  {
    entity: 'work',
    table: 'job',
    columns: ['getters'],
    keys: (row) => `select ${row}.token_id where ${row}.token_id is not null`,
  },
  {
    entity: 'image',
    table: 'image',
    columns: ['sha256', 'extension'],
    keys: (row) => `select ${row}.sha256 where ${row}.sha256 is not null`,
  },
  {
    entity: 'status',
    table: 'block',
    columns: ['canonical'],
    keys: (row) => `select 0 where ${row}.canonical = 1`,
  },
  {
    entity: 'status',
    table: 'report',
    columns: ['tip_height'],
    keys: (row) => `select 0 where ${row}.tip_height is not null`,
  },
  {
    entity: 'status',
    table: 'info',
    columns: ['value'],
    keys: (row) => `select 0 where ${row}.key = 'chain_id'`,
  },
];

/**
 * A changed entity gets the next revision. Nothing leaves the ledger, so a revision is never used twice. The subquery
 * names `excluded`, or SQLite would run it once for all rows of a statement. `insert or replace` would not do: the
 * conflict clause of the statement that fires a trigger overrides that of the trigger.
 */
const TAKE_NEXT_REVISION = `on conflict (entity, key) do update set revision =
  (select revision + 1 from ledger where excluded.key is not null order by revision desc limit 1)`;

export function triggersOf({ entity, table, columns, also, keys }: Recording): string[] {
  const record = (selected: string) =>
    `begin
      insert into ledger (entity, key) select '${entity}', * from (${selected}) where true ${TAKE_NEXT_REVISION};
    end`;
  const name = `ledger_${entity}_of_${table}`;
  const changes = columns.map((column) => `old.${column} is not new.${column}`);
  const isChanged = [...changes, ...(also === undefined ? [] : [also])].join(' or ');
  return [
    `create trigger ${name}_inserted after insert on ${table} ${record(keys('new'))}`,
    `create trigger ${name}_deleted after delete on ${table} ${record(keys('old'))}`,
    `create trigger ${name}_updated after update on ${table} when ${isChanged}
      ${record(`${keys('old')} union ${keys('new')}`)}`,
  ];
}

export const ledger: readonly string[] = [...LEDGER, ...RECORDINGS.flatMap(triggersOf)];
