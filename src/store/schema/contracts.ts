// Tables of served contracts and of what APIs report about contracts.
import type { Generated } from 'kysely';
import type { FailureColumns, Flag } from './columns.ts';

/** The deploy that is served for a contract id. */
export interface ContractTable {
  /** Key of the contract in the ledger. */
  contract_key: Generated<number>;
  contract_id: string;
  deploy_id: number;
  block_height: number;
  tx_index: number;
  canonical: Flag;
  /** 0 while only an unconfirmed microblock includes it. */
  confirmed: Flag;
}

/** The last API answer about a contract: its deploy, or why there is none. */
export interface ReportTable extends FailureColumns {
  contract_id: string;
  deploy_id: number | null;
  block_height: number | null;
  canonical: Flag | null;
  /** Chain tip when the API answered; null if it returned none. */
  tip_height: number | null;
}

/** A token's values in an API's token list; null if the list has none. */
export interface ListedTokenTable {
  contract_id: string;
  name: string | null;
  symbol: string | null;
  decimals: string | null;
  total_supply: string | null;
  token_uri: string | null;
}

/** A contract's name in lower case, the sort key of search files. */
export const LOWER_NAME = `lower(substr(contract_id, instr(contract_id, '.') + 1))`;

export const CONTRACTS: readonly string[] = [
  `create table contract (
    contract_key integer primary key,
    contract_id text not null unique,
    deploy_id integer not null references deploy,
    block_height integer not null,
    tx_index integer not null,
    canonical integer not null check (canonical in (0, 1)),
    confirmed integer not null check (confirmed in (0, 1))
  ) strict`,
  `create index contract_deploy on contract (deploy_id)`,
  `create index contract_unconfirmed on contract (contract_id) where confirmed = 0`,
  `create index contract_not_canonical on contract (contract_id) where canonical = 0`,
  `create index contract_by_name on contract (${LOWER_NAME}, contract_id)`,
  `create index contract_by_height on contract (block_height, tx_index)`,

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
];
