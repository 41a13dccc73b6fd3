// Tables of the observed chain: blocks on every fork, deploys, and events whose effect depends on the fork.

import type { UpdateMode } from '#model/chain-event.ts';
import type { InterfaceOrigin } from '#model/contract-interface.ts';
import type { FailureCode } from '#model/failure.ts';
import type { TokenStandard } from '#model/token.ts';
import { blob, FAILURE, flag, generated, hash, integer, keyed, nullable, oneOf, table, text } from '#sqlite/tables.ts';

/**
 * Maximum number of blocks at one height. The id of a block is its height times this number, plus the fork number: the
 * number of blocks at the same height that were stored before.
 */
export const MAX_FORKS = 4096;

export function heightOf(blockId: number): number {
  return Math.floor(blockId / MAX_FORKS);
}

export function blockIdOf(height: number, fork: number): number {
  return height * MAX_FORKS + fork;
}

/** Returns an SQL expression for the height in a block id. */
export const heightOfId = (id: string) => `(${id} >> 12)`;

/** Returns an SQL condition that is true for a canonical block. The index has few rows, the table has millions. */
export const isCanonical = (id: string) =>
  `not exists (select 1 from block indexed by block_side where block.block_id = ${id} and canonical = 0)`;

/** View: the last canonical SIP-019 notification about all tokens of a contract, or about a single token. */
export interface UpdateModeView {
  contract_id: string;
  /** Empty for a fungible token, `*` for all tokens of a collection. */
  token_number: string;
  /** The order of notifications: a later notification has a higher place. */
  place: number;
  update_mode: UpdateMode;
  /** Null unless the mode is `dynamic`. */
  ttl_seconds: number | null;
}

export const CHAIN = {
  /** A block on any fork. */
  block: table(
    {
      /** The height and the fork number (blockIdOf). */
      block_id: integer('primary key'),
      hash: hash(),
      burn_height: integer(),
      /** Number of tenures up to the tenure of the block; null if the observer did not send it. */
      tenure: nullable(integer()),
      /** Height of the last burn block that contracts in the block see, since epoch 3.0; null if the archive lacks it. */
      view: nullable(integer()),
      /** Time of the burn block, in seconds since the epoch; null if the observer did not send it. */
      time: nullable(integer()),
      /** Hash of the parent. Null for a canonical block: its parent is the next lower canonical block, or in a gap. */
      parent: nullable(hash()),
      canonical: flag(),
    },
    'check (canonical = (parent is null))',
  ).and(
    `create index block_side on block (block_id) where canonical = 0`,
    `create index block_side_hash on block (hash) where canonical = 0`,
  ),

  /** A block, canonical or not, whose parent is unknown, and the hash of that parent. */
  block_gap: table({ block_id: integer('primary key'), missing_hash: hash() }).and(
    `create index block_gap_missing on block_gap (missing_hash)`,
  ),

  /** A successful deploy transaction, on one or more forks. It has several rows if it ran under different rules. */
  deploy: table({
    deploy_id: generated(integer('primary key')),
    tx_id: hash(),
    contract_id: text(),
    sender_address: text(),
    /**
     * Clarity version and epoch from the transaction or the interface; null if both lack the value. The table
     * `contract` adds derived values.
     */
    clarity_version: nullable(integer()),
    epoch: nullable(text()),
    /** The token standard that the interface follows, or the source without an interface; null for other contracts. */
    standard: nullable(oneOf<TokenStandard>()),
    /** The origin of the interface: a source (node, API or archive), or the Clarity VM; null if it is missing. */
    interface_from: nullable(oneOf<InterfaceOrigin>('source', 'vm')),
    /** SHA-256 of the source. */
    source_hash: hash(),
  }).and(
    `create index deploy_transaction on deploy (tx_id)`,
    `create index deploy_contract on deploy (contract_id)`,
    `create index deploy_source on deploy (source_hash)`,
    `create index deploy_interface on deploy (deploy_id) where interface_from is not 'source'`,
    `create index deploy_standard on deploy (standard) where standard is not null`,
  ),

  /** The code of a deploy. It has its own table, so that reading many deploys does not read their sources. */
  deploy_code: table({
    deploy_id: integer('primary key references deploy'),
    /** Length of the interface before packing; null if the interface is unknown. */
    interface_bytes: nullable(integer()),
    source_bytes: integer(),
    /** Packed (model/packed-code.ts). */
    code: blob(),
  }),

  /** The last attempt to compute the missing interface of a deploy, and why it failed. */
  interface_attempt: table({
    deploy_id: integer('primary key references deploy'),
    /** The VM and the rules that the attempt used. The VM becomes null if an input has changed, to try again. */
    vm_version: nullable(text()),
    clarity_version: nullable(integer()),
    epoch: nullable(text()),
    ...FAILURE,
  }),

  /** A contract that an attempt to compute an interface read or looked for. After a change, the VM tries again. */
  interface_input: keyed(
    { contract_id: text(), deploy_id: integer('references deploy') },
    'primary key (contract_id, deploy_id)',
  ).and(`create index interface_input_deploy on interface_input (deploy_id)`),

  /** Inclusion of a deploy in a block, or in a microblock on top of a block. */
  inclusion: table(
    {
      inclusion_id: generated(integer('primary key')),
      deploy_id: integer('references deploy'),
      block_id: nullable(integer()),
      microblock_parent: nullable(blob()),
      /** The parent block of the microblock; null until the parent is stored. */
      parent_block_id: nullable(integer()),
      tx_index: integer(),
      /** The digest of the deploy's events (clarity/event-digest.ts); null if the events are unknown. */
      events: nullable(blob()),
    },
    'check ((block_id is null) <> (microblock_parent is null))',
    'unique (deploy_id, block_id)',
    'unique (deploy_id, microblock_parent)',
  ).and(
    `create index inclusion_block on inclusion (block_id) where block_id is not null`,
    `create index inclusion_unlinked on inclusion (microblock_parent)
    where microblock_parent is not null and parent_block_id is null`,
  ),

  asset_supply: keyed({ asset_identifier: text('primary key'), amount: text() }),

  /** The change of a supply in one block, so that an orphaned block can be undone. Deleted when the block is final. */
  supply_change: keyed(
    { block_id: integer(), asset_identifier: text(), amount: text() },
    'primary key (block_id, asset_identifier)',
  ),

  notification: table(
    {
      notification_id: generated(integer('primary key')),
      block_id: integer(),
      tx_id: blob(),
      event_index: integer(),
      emitter: text(),
      contract_id: text(),
      token_class: text(),
      /** The token ids as a JSON list; null for all tokens. */
      token_numbers: nullable(text()),
      update_mode: oneOf<UpdateMode>(),
      ttl_seconds: nullable(integer()),
      entitled: flag(),
    },
    'unique (block_id, tx_id, event_index)',
  ).and(
    `create index notification_contract on notification (contract_id)`,
    `create view update_mode as
    select contract_id, token_number, update_mode, ttl_seconds, place from (
      select named.*, row_number() over (partition by contract_id, token_number order by place desc) as rank from (
        select notification.contract_id, update_mode, ttl_seconds,
          iif(token_class = 'ft', '', coalesce(number.value, '*')) as token_number,
          ${heightOfId('block_id')} * 1000000000 + notification_id as place
        from notification
        left join json_each(notification.token_numbers) as number
        where ${isCanonical('notification.block_id')} and entitled = 1
      ) as named
    ) where rank = 1`,
  ),

  /** The position reached in an archive, and the reason if reading failed. */
  archive: table({
    archive_id: generated(integer('primary key')),
    prefix_bytes: integer(),
    prefix_hash: text(),
    last_line_offset: integer(),
    last_line_hash: text(),
    next_offset: integer(),
    next_line: integer(),
    /** The archive's name as the user gave it; null once the archive is read to its end. */
    unfinished_name: nullable(text()),
    ...FAILURE,
  }),

  /** A failure in chain data. The index lacks the affected transaction, block or line of an archive. */
  chain_failure: keyed({ code: oneOf<FailureCode>(), subject: text(), message: text() }, 'primary key (code, subject)'),
};
