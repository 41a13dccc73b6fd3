// Tables of the observed chain: blocks on every fork, deploys, and events whose effect depends on the fork. Hashes and
// transaction ids are 32-byte blobs.
import type { Generated } from 'kysely';
import type { FailureCode } from '#model/failure.ts';
import type { UpdateMode } from '#model/notification.ts';
import type { TokenStandard } from '#model/token.ts';
import type { FailureColumns, Flag, Json } from './columns.ts';

export interface BlockTable {
  block_id: number;
  index_block_hash: Buffer;
  parent_index_block_hash: Buffer;
  height: number;
  burn_block_height: number;
  /** Seconds since the epoch; null if the observer did not send it. */
  burn_block_time: number | null;
  canonical: Flag;
}

/** A successful deploy transaction, on one or more forks. A transaction that ran under two rules is two deploys. */
export interface DeployTable {
  deploy_id: Generated<number>;
  tx_id: Buffer;
  contract_id: string;
  sender_address: string;
  /** Null if the transaction, the interface and the burn height all leave it open. */
  clarity_version: number | null;
  epoch: string | null;
  standard: TokenStandard | null;
  /** SHA-256 of the source. */
  source_hash: Buffer;
  functions_hash: Buffer;
}

/** Separate from `deploy`, so that reading many deploys does not read their sources. */
export interface DeployCodeTable {
  deploy_id: number;
  /** Null if the interface is unknown. */
  interface_bytes: number | null;
  source_bytes: number;
  /** Packed (model/packed-code.ts). */
  code: Buffer;
}

/** Inclusion of a deploy in a block, or in a microblock on top of a block. */
export interface InclusionTable {
  inclusion_id: Generated<number>;
  deploy_id: number;
  block_id: number | null;
  microblock_parent: Buffer | null;
  tx_index: number;
  sponsor_address: string | null;
  /** Event digests (clarity/event-digest.ts). */
  events: Buffer | null;
}

export interface AssetSupplyTable {
  asset_identifier: string;
  amount: string;
}

/** The change of a supply in one block, so that an orphaned block can be undone. */
export interface SupplyChangeTable {
  block_id: number;
  asset_identifier: string;
  amount: string;
}

/** A SIP-019 notification. */
export interface NotificationTable {
  notification_id: Generated<number>;
  block_id: number;
  tx_id: Buffer;
  event_index: number;
  emitter: string;
  contract_id: string;
  token_class: string;
  token_numbers: Json | null;
  update_mode: UpdateMode;
  ttl_seconds: number | null;
  entitled: Flag;
}

/** View: the last canonical SIP-019 notification about all tokens of a contract, or about one of them. */
export interface UpdateModeView {
  contract_id: string;
  /** Empty for a fungible token, `*` for all tokens of a collection. */
  token_number: string;
  /** Increases with time. */
  place: number;
  update_mode: UpdateMode;
  /** Only in mode `dynamic`. */
  ttl_seconds: number | null;
}

/** How far an archive was read, and the reason if reading failed. */
export interface ArchiveTable extends FailureColumns {
  archive_id: Generated<number>;
  prefix_bytes: number;
  prefix_hash: string;
  last_line_offset: number;
  last_line_hash: string;
  next_offset: number;
  next_line: number;
  /** The name that the user gave, until the archive is read to its end. */
  unfinished_name: string | null;
}

/** Number of skipped events, by event name. */
export interface CounterTable {
  name: string;
  value: number;
}

/** A failure in chain data that loses one transaction, block or line. */
export interface ChainFailureTable {
  code: FailureCode;
  subject: string;
  message: string;
}

export const CHAIN: readonly string[] = [
  `create table block (
    block_id integer primary key,
    index_block_hash blob not null unique check (length(index_block_hash) = 32),
    parent_index_block_hash blob not null,
    height integer not null,
    burn_block_height integer not null,
    burn_block_time integer,
    canonical integer not null check (canonical in (0, 1))
  ) strict`,
  `create index block_parent on block (parent_index_block_hash)`,
  `create index block_canonical_height on block (height) where canonical = 1`,
  `create index block_canonical_time on block (burn_block_time, height) where canonical = 1`,

  `create table deploy (
    deploy_id integer primary key,
    tx_id blob not null check (length(tx_id) = 32),
    contract_id text not null,
    sender_address text not null,
    clarity_version integer,
    epoch text,
    standard text,
    source_hash blob not null check (length(source_hash) = 32),
    functions_hash blob not null
  ) strict`,
  `create index deploy_transaction on deploy (tx_id)`,
  `create index deploy_contract on deploy (contract_id)`,
  `create index deploy_source on deploy (source_hash)`,
  `create index deploy_standard on deploy (standard) where standard is not null`,
  `create table deploy_code (
    deploy_id integer primary key references deploy,
    interface_bytes integer,
    source_bytes integer not null,
    code blob not null
  ) strict`,
  `create table inclusion (
    inclusion_id integer primary key,
    deploy_id integer not null references deploy,
    block_id integer references block,
    microblock_parent blob,
    tx_index integer not null,
    sponsor_address text,
    events blob,
    check ((block_id is null) <> (microblock_parent is null)),
    unique (deploy_id, block_id),
    unique (deploy_id, microblock_parent)
  ) strict`,
  `create index inclusion_block on inclusion (block_id) where block_id is not null`,
  `create index inclusion_microblock on inclusion (microblock_parent) where microblock_parent is not null`,

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
  `create index notification_contract on notification (contract_id)`,
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

  `create table archive (
    archive_id integer primary key,
    prefix_bytes integer not null,
    prefix_hash text not null,
    last_line_offset integer not null,
    last_line_hash text not null,
    next_offset integer not null,
    next_line integer not null,
    unfinished_name text,
    failure_code text,
    failure_message text
  ) strict`,
  `create table counter (name text primary key, value integer not null) strict, without rowid`,
  `create table chain_failure (
    code text not null,
    subject text not null,
    message text not null,
    primary key (code, subject)
  ) strict, without rowid`,
];
