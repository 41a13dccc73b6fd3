// Change ledger: the revision at which each served entity changed last. Triggers write it in the changing transaction.
import { type Column, integer, oneOf, table, text } from '#sqlite/tables.ts';

/**
 * Kinds of served entities. `graph` means the callers and copies of a contract, and changes when a caller or a copy is
 * lost. `collection` means the set of a contract's tokens, `image` a copied image, and `status` the chain and its tip.
 * `status-only` means facts that only the status of a token shows, such as jobs and heights of values.
 */
export type Entity = 'contract' | 'graph' | 'token' | 'collection' | 'status-only' | 'image' | 'status';

/** The key of the `status` entity that changes when a contract is added, removed, or becomes canonical or orphaned. */
export const CONTRACT_NAMES = 'names';

/** A table whose rows are part of an entity. Adding, removing, or updating `columns` of a row changes the entity. */
interface Recording {
  readonly entity: Entity;
  readonly table: string;
  readonly columns: readonly string[];
  /** An SQL condition on `old` and `new`. If it is true, the update of a row counts as a change. */
  readonly also?: string;
  /** Set if only updates count as changes, because another entity records the added and removed rows. */
  readonly isUpdated?: true;
  /** Selects the keys of the entities whose responses show a row. `@` stands for the row. */
  readonly keys: string;
}

const CONTRACT_KEY = 'select contract_key from contract where deploy_id = @.deploy_id';
const TOKEN_KEY = 'select @.token_id';
const FAILURE = ['failure_code', 'failure_message'];

const RECORDINGS: readonly Recording[] = [
  {
    entity: 'contract',
    table: 'contract',
    columns: ['deploy_id', 'block_height', 'tx_index', 'canonical', 'confirmed', 'clarity_version'],
    keys: 'select @.contract_key',
  },
  {
    entity: 'contract',
    table: 'deploy',
    columns: ['sender_address', 'standard'],
    // An interface from a source may equal the computed interface that it replaces. Then only its origin changes.
    also: `(old.interface_from = 'vm' and new.interface_from = 'source')`,
    keys: CONTRACT_KEY,
  },
  { entity: 'contract', table: 'deploy_code', columns: ['code'], keys: CONTRACT_KEY },
  {
    // If a deploy gets another source, the contracts that the earlier source called or copied lose a caller or a copy.
    entity: 'graph',
    table: 'deploy',
    columns: ['source_hash'],
    isUpdated: true,
    keys: `select contract_key from contract join deploy using (deploy_id) where source_hash = @.source_hash
      union select contract_key from code_reference join code_name using (name_id) join contract using (contract_id)
        where code_reference.deploy_id = @.deploy_id`,
  },
  {
    entity: 'token',
    table: 'token',
    columns: ['state', 'supply_assets', 'minted', 'burned', ...FAILURE],
    keys: TOKEN_KEY,
  },
  {
    entity: 'token',
    table: 'reading',
    columns: ['source', 'partial', 'value', ...FAILURE],
    keys: TOKEN_KEY,
  },
  {
    // Only the status of a contract shows these columns, and one call may change them for many tokens.
    entity: 'status-only',
    table: 'reading',
    columns: ['height', 'calls'],
    isUpdated: true,
    keys: `select token_id from token where token_id = @.token_id and token_number = ''`,
  },
  { entity: 'status-only', table: 'lookalike', columns: ['symbol_of', 'name_of'], keys: TOKEN_KEY },
  { entity: 'token', table: 'document', columns: ['uri', 'document', 'warnings', ...FAILURE], keys: TOKEN_KEY },
  {
    entity: 'token',
    table: 'image',
    columns: ['sha256', 'extension', ...FAILURE],
    keys: `select token_id from document where json_extract(document, '$.image') = @.uri`,
  },
  {
    entity: 'token',
    table: 'asset_supply',
    columns: ['amount'],
    keys: `select token.token_id from contract join token on token.deploy_id = contract.deploy_id
      where contract.contract_id = substr(@.asset_identifier, 1, instr(@.asset_identifier, '::') - 1)`,
  },
  { entity: 'collection', table: 'collection', columns: ['minted', 'left_out'], keys: 'select @.deploy_id' },
  {
    entity: 'collection',
    table: 'chain_failure',
    columns: ['message'],
    keys: `select deploy_id from contract
      where contract_id = @.subject and @.code in ('mints-not-recorded', 'supply-incomplete', 'tokens-not-listed')`,
  },
  {
    entity: 'status-only',
    table: 'job',
    columns: ['getters'],
    keys: `select @.token_id
      where @.token_id is not null and @.kind in ('read-values', 'evaluate-token', 'fetch-document')`,
  },
  {
    entity: 'image',
    table: 'image',
    columns: ['sha256', 'extension'],
    keys: 'select @.sha256 where @.sha256 is not null',
  },
  { entity: 'image', table: 'image_file', columns: ['sha256'], keys: 'select substr(@.name, 1, 64)' },
  // The documents of tokens that a build contains decide which images it contains.
  {
    entity: 'image',
    table: 'document',
    columns: ['document'],
    keys: `select sha256 from image where uri = json_extract(@.document, '$.image') and sha256 is not null`,
  },
  {
    entity: 'image',
    table: 'contract',
    columns: ['deploy_id', 'canonical', 'confirmed'],
    keys: `select image.sha256 from token cross join document using (token_id)
      cross join image on image.uri = json_extract(document.document, '$.image')
      where token.deploy_id = @.deploy_id and image.sha256 is not null`,
  },
  { entity: 'status', table: 'report', columns: ['tip_height'], keys: 'select 0 where @.tip_height is not null' },
  {
    entity: 'status',
    table: 'info',
    columns: ['value'],
    keys: `select 0 where @.key in ('chain_id', 'chain_version', 'vm_version')`,
  },
  { entity: 'status', table: 'contract', columns: ['canonical'], keys: `select '${CONTRACT_NAMES}'` },
];

/**
 * Gives a changed entity the next revision. Rows are never deleted, so a revision is never used twice. The subquery
 * must name `excluded`, because SQLite would otherwise run it only once for all rows of a statement. `insert or
 * replace` would not work, because the statement that fires a trigger overrides the trigger's conflict clause.
 */
const TAKE_NEXT_REVISION = `on conflict (entity, key) do update set revision =
  (select revision + 1 from ledger where excluded.key is not null order by revision desc limit 1)`;

function triggersOf({ entity, table, columns, also, isUpdated, keys }: Recording): string[] {
  const record = (...rows: ('old' | 'new')[]) => {
    const selected = rows.map((row) => keys.replaceAll('@', row)).join(' union ');
    return `begin
      insert into ledger (entity, key) select '${entity}', * from (${selected}) where true ${TAKE_NEXT_REVISION};
    end`;
  };
  const name = `ledger_${entity.replace('-', '_')}_of_${table}`;
  const changes = columns.map((column) => `old.${column} is not new.${column}`);
  const isChanged = [...changes, ...(also === undefined ? [] : [also])].join(' or ');
  const updated = `create trigger ${name}_updated after update on ${table} when ${isChanged}
      ${record('old', 'new')}`;
  if (isUpdated) return [updated];
  return [
    `create trigger ${name}_inserted after insert on ${table} ${record('new')}`,
    `create trigger ${name}_deleted after delete on ${table} ${record('old')}`,
    updated,
  ];
}

export const LEDGER = {
  ledger: table(
    {
      revision: integer('primary key'),
      entity: oneOf<Entity>('contract', 'graph', 'token', 'collection', 'status-only', 'image', 'status'),
      /**
       * The key of the entity: `contract_key`, `token_id`, a collection's `deploy_id`, or SHA-256 of a copy. For
       * `status` it is 0 or CONTRACT_NAMES.
       */
      key: { sql: 'any not null' } as Column<number | string>,
    },
    'unique (entity, key)',
  ).and(`insert into ledger (entity, key) values ('status', 0)`, ...RECORDINGS.flatMap(triggersOf)),

  /** A history of the ledger. It covers the revisions after `after_revision`, up to the start of the next history. */
  history: table({ after_revision: integer('primary key'), token: text() }).and(
    `insert into history values (0, lower(hex(randomblob(16))))`,
  ),
};
