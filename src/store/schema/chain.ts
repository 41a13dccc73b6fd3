// Tables of the observed chain: blocks on every fork, deploys, and events whose effect depends on the fork.
import type { FailureCode } from '#model/failure.ts';
import type { UpdateMode } from '#model/notification.ts';
import type { TokenStandard } from '#model/token.ts';
import {
  blob,
  createTable,
  FAILURE,
  flag,
  generated,
  hash,
  integer,
  type Json,
  nullable,
  oneOf,
  type Row,
  text,
  WITHOUT_ROWID,
} from './columns.ts';

const block = {
  block_id: integer('primary key'),
  index_block_hash: hash('unique'),
  parent_index_block_hash: blob(),
  height: integer(),
  burn_block_height: integer(),
  /** Seconds since the epoch; null if the observer did not send it. */
  burn_block_time: nullable(integer()),
  canonical: flag(),
};
export type BlockTable = Row<typeof block>;

/** A successful deploy transaction, on one or more forks. A transaction that ran under two rules is two deploys. */
const deploy = {
  deploy_id: generated(integer('primary key')),
  tx_id: hash(),
  contract_id: text(),
  sender_address: text(),
  /** Null if the transaction, the interface and the burn height all leave it open. */
  clarity_version: nullable(integer()),
  epoch: nullable(text()),
  standard: nullable(oneOf<TokenStandard>()),
  /** SHA-256 of the source. */
  source_hash: hash(),
  functions_hash: blob(),
};

/** Separate from `deploy`, so that reading many deploys does not read their sources. */
const deployCode = {
  deploy_id: integer('primary key references deploy'),
  /** Null if the interface is unknown. */
  interface_bytes: nullable(integer()),
  source_bytes: integer(),
  /** Packed (model/packed-code.ts). */
  code: blob(),
};
export type DeployCodeTable = Row<typeof deployCode>;

/** Inclusion of a deploy in a block, or in a microblock on top of a block. */
const inclusion = {
  inclusion_id: generated(integer('primary key')),
  deploy_id: integer('references deploy'),
  block_id: nullable(integer('references block')),
  microblock_parent: nullable(blob()),
  tx_index: integer(),
  sponsor_address: nullable(text()),
  /** Event digests (clarity/event-digest.ts). */
  events: nullable(blob()),
};

const assetSupply = { asset_identifier: text('primary key'), amount: text() };

/** The change of a supply in one block, so that an orphaned block can be undone. */
const supplyChange = { block_id: integer('references block'), asset_identifier: text(), amount: text() };

/** A SIP-019 notification. */
const notification = {
  notification_id: generated(integer('primary key')),
  block_id: integer('references block'),
  tx_id: blob(),
  event_index: integer(),
  emitter: text(),
  contract_id: text(),
  token_class: text(),
  token_numbers: nullable<Json>(text()),
  update_mode: oneOf<UpdateMode>(),
  ttl_seconds: nullable(integer()),
  entitled: flag(),
};

/** View: the last canonical SIP-019 notification about all tokens of a contract, or about one of them. */
interface UpdateModeView {
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
const archive = {
  archive_id: generated(integer('primary key')),
  prefix_bytes: integer(),
  prefix_hash: text(),
  last_line_offset: integer(),
  last_line_hash: text(),
  next_offset: integer(),
  next_line: integer(),
  /** The name that the user gave, until the archive is read to its end. */
  unfinished_name: nullable(text()),
  ...FAILURE,
};

/** Number of skipped events, by event name. */
const counter = { name: text('primary key'), value: integer() };

/** A failure in chain data that loses one transaction, block or line. */
const chainFailure = { code: oneOf<FailureCode>(), subject: text(), message: text() };

export interface ChainTables {
  block: BlockTable;
  deploy: Row<typeof deploy>;
  deploy_code: DeployCodeTable;
  inclusion: Row<typeof inclusion>;
  asset_supply: Row<typeof assetSupply>;
  supply_change: Row<typeof supplyChange>;
  notification: Row<typeof notification>;
  update_mode: UpdateModeView;
  archive: Row<typeof archive>;
  counter: Row<typeof counter>;
  chain_failure: Row<typeof chainFailure>;
}

export const CHAIN: readonly string[] = [
  createTable('block', block),
  `create index block_parent on block (parent_index_block_hash)`,
  `create index block_canonical_height on block (height) where canonical = 1`,
  `create index block_canonical_time on block (burn_block_time, height) where canonical = 1`,

  createTable('deploy', deploy),
  `create index deploy_transaction on deploy (tx_id)`,
  `create index deploy_contract on deploy (contract_id)`,
  `create index deploy_source on deploy (source_hash)`,
  `create index deploy_standard on deploy (standard) where standard is not null`,
  createTable('deploy_code', deployCode),
  createTable('inclusion', inclusion, [
    'check ((block_id is null) <> (microblock_parent is null))',
    'unique (deploy_id, block_id)',
    'unique (deploy_id, microblock_parent)',
  ]),
  `create index inclusion_block on inclusion (block_id) where block_id is not null`,
  `create index inclusion_microblock on inclusion (microblock_parent) where microblock_parent is not null`,

  createTable('asset_supply', assetSupply, [], WITHOUT_ROWID),
  createTable('supply_change', supplyChange, ['primary key (block_id, asset_identifier)'], WITHOUT_ROWID),

  createTable('notification', notification, ['unique (block_id, tx_id, event_index)']),
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

  createTable('archive', archive),
  createTable('counter', counter, [], WITHOUT_ROWID),
  createTable('chain_failure', chainFailure, ['primary key (code, subject)'], WITHOUT_ROWID),
];
