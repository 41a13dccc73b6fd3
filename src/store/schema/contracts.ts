// Tables of served contracts and of API reports about contracts.
import { FAILURE, flag, generated, integer, keyed, nullable, table, text } from '#sqlite/tables.ts';

/** SQL for a contract's name in lower case, the sort key of search files. */
export const LOWER_NAME = `lower(substr(contract_id, instr(contract_id, '.') + 1))`;

/** SQL that allows another attempt to compute interfaces of contracts that depend on a new or changed contract. */
const FORGET_ATTEMPTS = `begin
    update interface_attempt set vm_version = null
    where deploy_id in (select deploy_id from interface_input where contract_id = new.contract_id);
  end`;

export const CONTRACTS = {
  /** The deploy that is served for a contract id. */
  contract: table({
    /** Key of the contract in the ledger. */
    contract_key: generated(integer('primary key')),
    contract_id: text('unique'),
    /** The block of the call graph that contains the contract (layout/data-files.ts). */
    graph_block: text(),
    deploy_id: integer('references deploy'),
    block_height: integer(),
    tx_index: integer(),
    canonical: flag(),
    /** 0 while the deploy is only in an unconfirmed microblock. */
    confirmed: flag(),
    /** Clarity version and epoch: from the deploy, or derived from the burn height of its block; null if unknown. */
    clarity_version: nullable(integer()),
    epoch: nullable(text()),
  }).and(
    `create index contract_deploy on contract (deploy_id)`,
    `create index contract_graph_block on contract (graph_block)`,
    `create index contract_unconfirmed on contract (contract_id) where confirmed = 0`,
    `create index contract_not_canonical on contract (contract_id) where canonical = 0`,
    `create index contract_by_name on contract (${LOWER_NAME}, contract_id)`,
    `create trigger interface_input_inserted after insert on contract
    when exists (select 1 from interface_input where contract_id = new.contract_id) ${FORGET_ATTEMPTS}`,
    `create trigger interface_input_updated after update of deploy_id, clarity_version, epoch on contract ${FORGET_ATTEMPTS}`,
    `create index contract_by_height on contract (block_height, tx_index)`,
    `create index contract_unknown_epoch on contract (epoch) where epoch glob 'Epoch*'`,
  ),

  /** The last API response about a contract: its deploy, or the reason why it is missing. */
  report: keyed(
    {
      contract_id: text('primary key'),
      deploy_id: nullable(integer('references deploy')),
      block_height: nullable(integer()),
      canonical: nullable(flag()),
      /** The height of the chain tip when the API responded; null if the response lacked the height. */
      tip_height: nullable(integer()),
      ...FAILURE,
    },
    'check ((deploy_id is null) = (failure_code is not null))',
  ),

  /** A token in an API's token list. `results` are the values of the token, as JSON. */
  listed_token: keyed({ contract_id: text('primary key'), results: text() }),
};
