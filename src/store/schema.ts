// Tables of the index as kysely sees them; migrations/ makes them. Hashes and transaction ids are 32 byte blobs, flags are 0 or 1, JSON is text.

export interface BlockTable {
  block_id: number;
  index_block_hash: Buffer;
  parent_index_block_hash: Buffer;
  height: number;
  burn_block_height: number;
  /** In seconds since the epoch; null where the observer did not tell. */
  burn_block_time: number | null;
  canonical: number;
}

/** A successful deploy transaction; the same one may be included in several forks. */
export interface DeployTable {
  deploy_id: number;
  tx_id: Buffer;
  contract_id: string;
  sender_address: string;
  /** Null where neither the transaction, nor the interface, nor the burn height tells. */
  clarity_version: number | null;
  epoch: string | null;
  standard: string | null;
}

/** Apart from `deploy`, so that reading many deploys does not read their sources. */
export interface DeployCodeTable {
  deploy_id: number;
  /** Null where the interface is not known. */
  interface_bytes: number | null;
  source_bytes: number;
  /** Packed (model/packed-code.ts). */
  code: Buffer;
}

/** Where a deploy was included: in a block, or in a microblock on top of a block. */
export interface InclusionTable {
  inclusion_id: number;
  deploy_id: number;
  block_id: number | null;
  microblock_parent: Buffer | null;
  tx_index: number;
}

/** The deploy that is served for a contract id. */
export interface ContractTable {
  contract_id: string;
  deploy_id: number;
  block_height: number;
  tx_index: number;
  canonical: number;
  /** 0 while only an unconfirmed microblock has it. */
  confirmed: number;
  /** When anything that is served about it last changed. */
  revision: number;
}

export interface TokenTable {
  token_id: number;
  deploy_id: number;
  token_number: string;
  state: string;
  /** JSON list of the asset identifiers whose sum is the supply, or null. */
  supply_assets: string | null;
  failure_code: string | null;
  failure_message: string | null;
  /** What the last SIP-019 notification said: `standard`, `frozen` or `dynamic`. */
  update_mode: string | null;
  /** Only in mode `dynamic`. */
  ttl_seconds: number | null;
  /** When its values were last all read from a node or a token list, in ms since the epoch; null if never. */
  values_read_at: number | null;
}

/** What a getter of a token answers: the best reading that there is. */
export interface ReadingTable {
  token_id: number;
  getter: string;
  /** `node`, `token-list` or `vm`. */
  source: string;
  /** A reading replaces one of no higher rank. */
  rank: number;
  /** Tip of the node that answered. */
  height: number | null;
  /** Whether only a part of the contract ran in the VM. */
  partial: number;
  /** As decimal text where it is a number; null for `none` and for a failure. */
  value: string | null;
  failure_code: string | null;
  failure_message: string | null;
}

/** What an API last said about a contract: its deploy, or why it says none. */
export interface ReportTable {
  contract_id: string;
  deploy_id: number | null;
  block_height: number | null;
  canonical: number | null;
  /** Tip of the chain when the API was asked; null if it did not tell. */
  tip_height: number | null;
  failure_code: string | null;
  failure_message: string | null;
}

/** What an API's token list says of a token; null where it says nothing that can be told from a null that was lost. */
export interface ListedTokenTable {
  contract_id: string;
  name: string | null;
  symbol: string | null;
  decimals: string | null;
  total_supply: string | null;
  token_uri: string | null;
}

/** A metadata document; locale '' is the default one. */
export interface DocumentTable {
  token_id: number;
  locale: string;
  uri: string | null;
  /** Normalised, JSON; null if there is none. */
  document: string | null;
  failure_code: string | null;
  failure_message: string | null;
  /** JSON list of what was dropped while reading it. */
  warnings: string | null;
  /** What a conditional request sends back to the server. */
  etag: string | null;
  last_modified: string | null;
  /** When it was last read from the network, in ms since the epoch; null for one that the token carries itself. */
  fetched_at: number | null;
}

/** Our copy of the image behind a URI, or why there is none. */
export interface ImageTable {
  uri: string;
  /** Of the bytes as they were fetched, hex; null if there is no copy. */
  sha256: string | null;
  extension: string | null;
  failure_code: string | null;
  failure_message: string | null;
  revision: number;
  /** 1 where the copy is to be made again, and is kept until it is. */
  is_stale: number;
}

/** A piece of work that is not done yet. */
export interface JobTable {
  job_id: number;
  kind: string;
  /** Null for work on what is no token, or not known to be one yet. */
  token_id: number | null;
  contract_id: string;
  /** Which part of its subject: a locale, getters, an offset. */
  part: string;
  attempts: number;
  failure_code: string | null;
  failure_message: string | null;
  stack: string | null;
  /** When it may be tried again, in ms since the epoch; 0 at once. */
  next_attempt_at: number;
  /** How many of the last attempts failed with the same code, one after the other. */
  repeats: number;
}

export interface AssetSupplyTable {
  asset_identifier: string;
  amount: string;
}

export interface SupplyChangeTable {
  block_id: number;
  asset_identifier: string;
  amount: string;
}

export interface NotificationTable {
  notification_id: number;
  block_id: number;
  tx_id: Buffer;
  event_index: number;
  emitter: string;
  contract_id: string;
  token_class: string;
  token_numbers: string | null;
  update_mode: string;
  ttl_seconds: number | null;
  entitled: number;
}

export interface ArchiveTable {
  archive_id: number;
  prefix_bytes: number;
  prefix_hash: string;
  last_line_offset: number;
  last_line_hash: string;
  next_offset: number;
  next_line: number;
}

/** Events that were passed over, by name. */
export interface CounterTable {
  name: string;
  value: number;
}

/** Trouble in chain data that costs one transaction, block or line. */
export interface ChainFailureTable {
  code: string;
  subject: string;
  message: string;
}

/** What the last run of a command did. */
export interface RunTable {
  command: string;
  started_at: number;
  finished_at: number | null;
  outcome: string | null;
  summary: string;
}

export interface InfoTable {
  key: string;
  value: string;
}

export interface Schema {
  info: InfoTable;
  block: BlockTable;
  deploy: DeployTable;
  deploy_code: DeployCodeTable;
  inclusion: InclusionTable;
  contract: ContractTable;
  token: TokenTable;
  reading: ReadingTable;
  report: ReportTable;
  listed_token: ListedTokenTable;
  document: DocumentTable;
  image: ImageTable;
  job: JobTable;
  asset_supply: AssetSupplyTable;
  supply_change: SupplyChangeTable;
  notification: NotificationTable;
  archive: ArchiveTable;
  counter: CounterTable;
  chain_failure: ChainFailureTable;
  run: RunTable;
}
