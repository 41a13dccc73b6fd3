// Tables of tokens, collections and getter results.
import type { Generated } from 'kysely';
import type { TokenGetter, TokenStandard, TokenState, ValueSource } from '#model/token.ts';
import type { FailureColumns, Flag, Json, Time } from './columns.ts';

/** A fungible token, a collection, or a token of a collection. */
export interface TokenTable extends FailureColumns {
  token_id: Generated<number>;
  deploy_id: number;
  /** Decimal token id; empty for the contract's own row: a fungible token or a collection. */
  token_number: string;
  state: TokenState;
  /** Asset identifiers whose sum is the supply, or null. */
  supply_assets: Json | null;
  /** Last time all its values were read from a node or a token list; null if never. */
  values_read_at: Time | null;
  /** 0 if all events that minted it are orphaned; 1 if a node or an API names it, and for a contract's own row. */
  minted: Generated<Flag>;
  /** True if the last canonical event burned it. */
  burned: Generated<Flag>;
}

/** View: fungible tokens and collections whose deploy is served, canonical and confirmed. */
export interface ServedTokenView extends TokenTable {
  contract_id: string;
  standard: TokenStandard | null;
}

/** The effect of a block on a token of a collection. */
export interface TokenEventTable {
  token_id: number;
  block_id: number;
  minted: Flag;
  /** True if it was burned in the end. */
  burned: Flag;
}

export interface CollectionTable {
  deploy_id: number;
  /** Stored tokens, minted on any fork. */
  tokens: number;
  /** Tokens minted on the canonical chain, counted by triggers. */
  minted: number;
  /** Tokens left out because of the limit. */
  left_out: number;
}

/** The best reading of a token's getter. */
export interface ReadingTable extends FailureColumns {
  token_id: number;
  getter: TokenGetter;
  source: ValueSource;
  /** A reading replaces another of the same or a lower rank. */
  rank: number;
  /** The node's tip, or the block of the last call that the VM replayed for the reading. */
  height: number | null;
  /** Number of calls that the VM replayed for the reading. */
  calls: number | null;
  /** True if only part of the contract ran in the VM. */
  partial: Flag;
  /** Numbers as decimal text; null for `none` and for a failure. */
  value: string | null;
}

const CANONICAL_EVENTS = `token_event join block using (block_id)
  where token_event.token_id = token.token_id and block.canonical = 1`;

/** Sets `minted` and `burned` of the tokens whose ids a query selects, by their canonical events. */
export const updateMinted = (tokenIds: string) => `update token set
  minted = exists (select 1 from ${CANONICAL_EVENTS} and token_event.minted = 1),
  burned = coalesce((select token_event.burned from ${CANONICAL_EVENTS} order by block.height desc limit 1), 0)
  where token_id in (${tokenIds})`;

export const TOKENS: readonly string[] = [
  `create table token (
    token_id integer primary key,
    deploy_id integer not null references deploy,
    token_number text not null,
    state text not null check (state in ('queued', 'complete', 'partial', 'error')),
    supply_assets text,
    values_read_at integer,
    minted integer not null default 1 check (minted in (0, 1)),
    burned integer not null default 0 check (burned in (0, 1)),
    failure_code text,
    failure_message text,
    unique (deploy_id, token_number)
  ) strict`,
  `create index token_in_order on token (deploy_id, length(token_number), token_number)`,
  `create index token_of_contract on token (deploy_id) where token_number = ''`,
  `create index token_queued on token (deploy_id) where state = 'queued' and token_number <> ''`,
  // The cross joins make SQLite start from tokens, which are fewer than contracts.
  `create view served_token as
    select token.*, contract.contract_id, deploy.standard
    from token cross join contract on contract.deploy_id = token.deploy_id
    cross join deploy on deploy.deploy_id = token.deploy_id
    where contract.canonical = 1 and contract.confirmed = 1 and token.token_number = ''`,

  `create table token_event (
    token_id integer not null references token,
    block_id integer not null references block,
    minted integer not null check (minted in (0, 1)),
    burned integer not null check (burned in (0, 1)),
    primary key (token_id, block_id)
  ) strict, without rowid`,
  `create index token_event_block on token_event (block_id)`,
  `create trigger token_event_block_flipped after update of canonical on block begin
    ${updateMinted('select token_id from token_event where block_id = new.block_id')};
  end`,
  `create table collection (
    deploy_id integer primary key references deploy,
    tokens integer not null,
    minted integer not null,
    left_out integer not null
  ) strict`,
  `create trigger collection_token_flipped after update of minted on token when old.minted <> new.minted begin
    update collection set minted = minted + new.minted - old.minted where deploy_id = new.deploy_id;
  end`,

  `create table reading (
    token_id integer not null references token,
    getter text not null,
    source text not null check (source in ('node', 'token-list', 'vm')),
    rank integer not null,
    height integer,
    calls integer,
    partial integer not null default 0 check (partial in (0, 1)),
    value text,
    failure_code text,
    failure_message text,
    primary key (token_id, getter)
  ) strict, without rowid`,
  `create index reading_failure on reading (failure_code) where failure_code is not null`,
];
