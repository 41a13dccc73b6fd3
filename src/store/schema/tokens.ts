// Tables of tokens, collections and getter results.
import type { TokenGetter, TokenStandard, TokenState, ValueSource } from '#model/token.ts';
import { FAILURE, flag, generated, integer, keyed, nullable, oneOf, type Row, table, text } from '#sqlite/tables.ts';
import { isCanonical } from './chain.ts';

const CANONICAL_EVENTS = `token_event
  where token_event.token_id = token.token_id and ${isCanonical('token_event.block_id')}`;

/** Returns SQL that sets `minted` and `burned` from canonical events, for tokens whose ids a query selects. */
export const updateMinted = (tokenIds: string) => `update token set
  minted = exists (select 1 from ${CANONICAL_EVENTS} and token_event.minted = 1),
  burned = coalesce((select token_event.burned from ${CANONICAL_EVENTS} order by block_id desc limit 1), 0)
  where token_id in (${tokenIds})`;

export const TOKENS = {
  /** A fungible token, a collection, or a token of a collection. */
  token: table(
    {
      token_id: generated(integer('primary key')),
      deploy_id: integer('references deploy'),
      /** Decimal token id; empty for a fungible token or a collection, which is the row of the contract itself. */
      token_number: text(),
      state: oneOf<TokenState>('queued', 'complete', 'partial', 'error'),
      /** Identifiers of the assets whose supplies add up to the token's supply, JSON; null if it is not such a sum. */
      supply_assets: nullable(text()),
      /** Time when all values were last read from a node or a token list, in ms since the epoch; null if never. */
      values_read_at: nullable(integer()),
      /** 0 if all mints of the token are orphaned; 1 otherwise, and for tokens from nodes and APIs. */
      minted: generated(flag('default 1')),
      /** 1 if the last canonical event burned the token. */
      burned: generated(flag('default 0')),
      ...FAILURE,
    },
    'unique (deploy_id, token_number)',
  ).and(
    `create index token_in_order on token (deploy_id, length(token_number), token_number)`,
    `create index token_of_contract on token (deploy_id) where token_number = ''`,
    `create index token_queued on token (deploy_id) where state = 'queued' and token_number <> ''`,
    // The cross joins make SQLite start from tokens, which are fewer than contracts.
    `create view served_token as
    select token.*, contract.contract_id, deploy.standard
    from token cross join contract on contract.deploy_id = token.deploy_id
    cross join deploy on deploy.deploy_id = token.deploy_id
    where contract.canonical = 1 and contract.confirmed = 1 and token.token_number = ''`,
  ),

  /** The effect of a block on a token of a collection. `burned` is the state of the token at the end of the block. */
  token_event: keyed(
    { token_id: integer('references token'), block_id: integer(), minted: flag(), burned: flag() },
    'primary key (token_id, block_id)',
  ).and(
    `create index token_event_block on token_event (block_id)`,
    `create trigger token_event_block_flipped after update of canonical on block begin
    ${updateMinted('select token_id from token_event where block_id = new.block_id')};
  end`,
  ),

  collection: table({
    deploy_id: integer('primary key references deploy'),
    /** Number of stored tokens, minted on any fork. */
    tokens: integer(),
    /** Number of tokens minted on the canonical chain, counted by triggers. */
    minted: integer(),
    /** Number of tokens that are not stored because of the limit. */
    left_out: integer(),
  }).and(`create trigger collection_token_flipped after update of minted on token when old.minted <> new.minted begin
    update collection set minted = minted + new.minted - old.minted where deploy_id = new.deploy_id;
  end`),

  /** The best reading of a getter of a token. A reading is the result of the getter from one source. */
  reading: keyed(
    {
      token_id: integer('references token'),
      getter: oneOf<TokenGetter>(),
      source: oneOf<ValueSource>('node', 'token-list', 'vm'),
      /** The quality of the reading. A reading replaces a stored reading of the same or a lower rank. */
      rank: integer(),
      /** The node's tip, or the block of the last call that the VM replayed for the reading. */
      height: nullable(integer()),
      /** Number of calls that the VM replayed for the reading. */
      calls: nullable(integer()),
      /** 1 if only part of the contract ran in the VM. */
      partial: flag('default 0'),
      /** The result of the getter. Numbers are decimal text; null means `none` or a failure. */
      value: nullable(text()),
      ...FAILURE,
    },
    'primary key (token_id, getter)',
  ).and(`create index reading_failure on reading (failure_code) where failure_code is not null`),

  /** The first fungible tokens with the same symbol and with a similar name, if these are others. */
  lookalike: keyed({
    token_id: integer('primary key references token'),
    symbol_of: nullable(integer('references token')),
    name_of: nullable(integer('references token')),
  }),

  /** A getter whose value the VM cannot track up to the tip. Its values from other sources become outdated. */
  untracked: keyed(
    { token_id: integer('references token'), getter: oneOf<TokenGetter>() },
    'primary key (token_id, getter)',
  ),
};

/** View: fungible tokens and collections whose deploy is served, canonical and confirmed. */
export interface ServedTokenView extends Row<typeof TOKENS.token.columns> {
  contract_id: string;
  standard: TokenStandard | null;
}
