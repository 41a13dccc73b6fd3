// Adds tokens with numbers: those of a collection are rows of `token` beside the contract's own, which has no number.
// A fungible token is its contract's own row.
import { type Recording, triggersOf } from './0009-ledger.ts';

const RECORDINGS: readonly Recording[] = [
  // As in 0009-ledger.ts, and whether it is there, and burned.
  {
    entity: 'token',
    table: 'token',
    columns: ['state', 'supply_assets', 'failure_code', 'failure_message', 'minted', 'burned'],
    keys: (row) => `select ${row}.token_id`,
  },
  {
    entity: 'token',
    table: 'reading',
    columns: ['source', 'partial', 'value', 'failure_code', 'failure_message'],
    // No answer about a token with a number says how far its values are proven, and each mint moves that of all.
    also: `(old.height is not new.height and (select token_number from token where token_id = new.token_id) = '')`,
    keys: (row) => `select ${row}.token_id`,
  },
  {
    entity: 'collection',
    table: 'collection',
    columns: ['minted', 'left_out'],
    keys: (row) => `select ${row}.deploy_id`,
  },
];

/** With one more kind of entity. */
const LEDGER = [
  // Triggers that write it are not looked at, so they go on with the new one.
  `pragma legacy_alter_table = on`,
  `create table new_ledger (
    revision integer primary key,
    entity text not null check (entity in ('contract', 'token', 'collection', 'work', 'image', 'status')),
    key any not null,
    unique (entity, key)
  ) strict`,
  `insert into new_ledger select revision, entity, key from ledger`,
  `drop table ledger`,
  `alter table new_ledger rename to ledger`,
  `pragma legacy_alter_table = off`,
];

const CANONICAL_EVENTS = `token_event join block using (block_id)
  where token_event.token_id = token.token_id and block.canonical = 1`;

/** Sets what the canonical events of tokens say, whose ids a query selects. */
export const settleEvents = (tokenIds: string) => `update token set
  minted = exists (select 1 from ${CANONICAL_EVENTS} and token_event.minted = 1),
  burned = coalesce((select token_event.burned from ${CANONICAL_EVENTS} order by block.height desc limit 1), 0)
  where token_id in (${tokenIds})`;

export const collections: readonly string[] = [
  `update token set token_number = ''`,
  `insert into token (deploy_id, token_number, state, failure_code, failure_message)
    select deploy_id, '', 'error', 'mints-not-recorded',
      'An earlier version made the index, without the mints of collections. Index the archive with --rebuild.'
    from deploy where standard in ('sip-009', 'sip-013')`,
  // Whether a canonical event minted it; one that a node or an API names, and a contract's own row, count as minted.
  `alter table token add column minted integer not null default 1 check (minted in (0, 1))`,
  `alter table token add column burned integer not null default 0 check (burned in (0, 1))`,
  `create index token_in_order on token (deploy_id, length(token_number), token_number)`,
  // What a block did to a token with a number: whether it was minted there, and whether it was burned in the end.
  `create table token_event (
    token_id integer not null references token,
    block_id integer not null references block,
    minted integer not null check (minted in (0, 1)),
    burned integer not null check (burned in (0, 1)),
    primary key (token_id, block_id)
  ) strict, without rowid`,
  `create index token_event_block on token_event (block_id)`,
  `create trigger token_event_block_flipped after update of canonical on block begin
    ${settleEvents('select token_id from token_event where block_id = new.block_id')};
  end`,
  // How many tokens with numbers a collection has on all forks, how many of them are minted on the canonical one, and
  // how many more there would be but for the limit.
  `create table collection (
    deploy_id integer primary key references deploy,
    tokens integer not null,
    minted integer not null,
    left_out integer not null
  ) strict`,
  `create trigger collection_token_flipped after update of minted on token when old.minted <> new.minted begin
    update collection set minted = minted + new.minted - old.minted where deploy_id = new.deploy_id;
  end`,
  ...LEDGER,
  ...['token', 'reading'].flatMap((table) =>
    ['inserted', 'deleted', 'updated'].map((how) => `drop trigger ledger_token_of_${table}_${how}`),
  ),
  ...RECORDINGS.flatMap(triggersOf),
  `drop view update_mode`,
  // About a fungible token (empty), about all of a collection (*), or about a number; the later has the higher place.
  `create view update_mode as
    select contract_id, token_number, update_mode, ttl_seconds, place from (
      select named.*, row_number() over (partition by contract_id, token_number order by place desc) as rank from (
        select notification.contract_id, update_mode, ttl_seconds,
          iif(token_class = 'ft', '', coalesce(number.value, '*')) as token_number,
          block.height * 1000000000 + notification_id as place
        from notification join block using (block_id)
        left join json_each(notification.token_numbers) as number
        where block.canonical = 1 and entitled = 1
      ) as named
    ) where rank = 1`,
  `create index notification_contract on notification (contract_id)`,
  `drop view served_token`,
  // Fungible tokens and collections whose deploy is served, canonical and confirmed.
  `create view served_token as
    select token.*, contract.contract_id, deploy.standard
    from token cross join contract on contract.deploy_id = token.deploy_id
    cross join deploy on deploy.deploy_id = token.deploy_id
    where contract.canonical = 1 and contract.confirmed = 1 and token.token_number = ''`,
];
