// Tables of the index as kysely sees them; migrations/ creates them. Hashes and transaction ids are 32-byte blobs.
import type { Generated } from 'kysely';
import type { FailureCode } from '#model/failure.ts';
import type { JobKind } from '#model/job.ts';
import type { UpdateMode } from '#model/notification.ts';
import type { TokenGetter, TokenStandard, TokenState, ValueSource } from '#model/token.ts';

type Flag = 0 | 1;
/** Milliseconds since the epoch. */
type Time = number;
/** JSON text; readStoredJson reads it. */
type Json = string;

/** Both are null where nothing failed. */
export interface FailureColumns {
  failure_code: FailureCode | null;
  failure_message: string | null;
}

export interface BlockTable {
  block_id: number;
  index_block_hash: Buffer;
  parent_index_block_hash: Buffer;
  height: number;
  burn_block_height: number;
  /** In seconds since the epoch; null where the observer did not send it. */
  burn_block_time: number | null;
  canonical: Flag;
}

/** A successful deploy transaction; several forks may include it. One that ran under two rules is two deploys. */
export interface DeployTable {
  deploy_id: Generated<number>;
  tx_id: Buffer;
  contract_id: string;
  sender_address: string;
  /** Null where the transaction, the interface and the burn height all leave it open. */
  clarity_version: number | null;
  epoch: string | null;
  standard: TokenStandard | null;
}

/** Separate from `deploy`, so that reading many deploys does not read their sources. */
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
  inclusion_id: Generated<number>;
  deploy_id: number;
  block_id: number | null;
  microblock_parent: Buffer | null;
  tx_index: number;
  sponsor_address: string | null;
  /** Digests (clarity/event-digest.ts). */
  events: Buffer | null;
}

/** The deploy that is served for a contract id. */
export interface ContractTable {
  /** The contract in the ledger. */
  contract_key: Generated<number>;
  contract_id: string;
  deploy_id: number;
  block_height: number;
  tx_index: number;
  canonical: Flag;
  /** 0 while only an unconfirmed microblock includes it. */
  confirmed: Flag;
}

/** A fungible token, a collection, or a token with a number in one. */
export interface TokenTable extends FailureColumns {
  token_id: Generated<number>;
  deploy_id: number;
  /** Decimal text; empty for the contract's own row: a fungible token or a collection. */
  token_number: string;
  state: TokenState;
  /** List of the asset identifiers whose sum is the supply, or null. */
  supply_assets: Json | null;
  /** When all its values were last read from a node or a token list; null if never. */
  values_read_at: Time | null;
  /** 0 where all events that minted it are orphaned. */
  minted: Generated<Flag>;
  /** Whether the last canonical event burned it. */
  burned: Generated<Flag>;
}

/** View: fungible tokens and collections whose deploy is served, canonical and confirmed. */
export interface ServedTokenView extends TokenTable {
  contract_id: string;
  standard: TokenStandard | null;
}

/** What a block did to a token with a number. */
export interface TokenEventTable {
  token_id: number;
  block_id: number;
  minted: Flag;
  /** Whether it was burned in the end. */
  burned: Flag;
}

export interface CollectionTable {
  deploy_id: number;
  /** Tokens with numbers, minted on whatever fork. */
  tokens: number;
  /** Those that are there on the canonical one; triggers count them. */
  minted: number;
  /** How many more there would be but for the limit. */
  left_out: number;
}

/** The best reading of a getter of a token. */
export interface ReadingTable extends FailureColumns {
  token_id: number;
  getter: TokenGetter;
  source: ValueSource;
  /** A reading replaces one of no higher rank. */
  rank: number;
  /** The node's tip, or the block of the last call that the VM replayed for it. */
  height: number | null;
  /** How many calls the VM replayed for it. */
  calls: number | null;
  /** Whether only a part of the contract ran in the VM. */
  partial: Flag;
  /** As decimal text where it is a number; null for `none` and for a failure. */
  value: string | null;
}

/** View: what the last canonical SIP-019 notification about all tokens of a contract, or about one of them, says. */
export interface UpdateModeView {
  contract_id: string;
  /** Empty for a fungible token, `*` for all tokens of a collection. */
  token_number: string;
  /** The higher, the later. */
  place: number;
  update_mode: UpdateMode;
  /** Only in mode `dynamic`. */
  ttl_seconds: number | null;
}

/** A contract that the last evaluation of a token read or looked for: if it changes, triggers queue the next. */
export interface EvaluationInputTable {
  contract_id: string;
  token_id: number;
}

/** What an API last returned for a contract: its deploy, or why there is none. */
export interface ReportTable extends FailureColumns {
  contract_id: string;
  deploy_id: number | null;
  block_height: number | null;
  canonical: Flag | null;
  /** Tip of the chain when the API answered; null if it returned none. */
  tip_height: number | null;
}

/** A token's values in an API's token list; null where the list has none. */
export interface ListedTokenTable {
  contract_id: string;
  name: string | null;
  symbol: string | null;
  decimals: string | null;
  total_supply: string | null;
  token_uri: string | null;
}

/** A metadata document; locale '' is the default one. */
export interface DocumentTable extends FailureColumns {
  token_id: number;
  locale: string;
  uri: string | null;
  /** Normalised; null if there is none. */
  document: Json | null;
  /** List of what was dropped while reading it. */
  warnings: Json | null;
  /** Validators for the next conditional request. */
  etag: string | null;
  last_modified: string | null;
  /** When it was last fetched; null for one in a data: URI. */
  fetched_at: Time | null;
}

/** Our copy of an image URI, or why there is none. */
export interface ImageTable extends FailureColumns {
  image_id: Generated<number>;
  uri: string;
  /** Of the fetched bytes, hex; null if there is no copy. */
  sha256: string | null;
  extension: string | null;
  /** 1 where the copy must be made again; it is kept until then. */
  is_stale: Generated<Flag>;
}

/** A file of a copy as it was written, so that damage is found. */
export interface ImageFileTable {
  name: string;
  bytes: number;
  /** Of the file itself, hex. */
  sha256: string;
}

/** Work that is not done yet; model/job.ts describes each kind. */
export interface JobTable extends FailureColumns {
  job_id: Generated<number>;
  kind: JobKind;
  token_id: number | null;
  contract_id: Generated<string>;
  /** Of a document or an image; of `list-numbers` the name of an asset. */
  locale: Generated<string>;
  /** List of getters. */
  getters: Json | null;
  list_offset: Generated<number>;
  attempts: Generated<number>;
  /** Of the last attempt, if it hit a bug. */
  stack: string | null;
  /** 0: now. */
  next_attempt_at: Generated<Time>;
  /** How many attempts in a row failed with this code. */
  repeats: Generated<number>;
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

/** A data variable or a map that a getter reads, or a function that writes such. */
export interface WatchedVariableTable {
  contract_id: string;
  name: string;
  /** 0 in contracts that getters read; else how many calls it is away from one. */
  distance: number;
  /** Whether no call that may write it came before it was watched. */
  is_whole: Flag;
}

/** How many calls are recorded that may write variables of a contract, in units of 1,000 bytes, and whether some are not. */
export interface RecordedCallsTable {
  contract_id: string;
  units: number;
  left_out: Flag;
}

/** A function that a transaction called, whatever it does (clarity/name-key.ts). */
export interface CalledFunctionTable {
  key: number;
}

/** A function that the code of a deploy may call (clarity/name-key.ts). */
export interface CodeReferenceTable {
  key: number;
  deploy_id: number;
}

/** A function whose calls are recorded: it may write watched variables. */
export interface WatchedFunctionTable {
  contract_id: string;
  name: string;
}

/** A successful call of a watched function, or a deploy that calls one, in whatever fork. */
export interface CallTable {
  call_id: Generated<number>;
  block_id: number;
  tx_index: number;
  tx_id: Buffer;
  /** The transaction's origin. */
  sender_address: string;
  contract_id: string;
  /** Empty for a deploy. */
  function_name: string;
  /** As in the transaction. */
  args: Buffer;
  result: Buffer;
  sponsor_address: string | null;
  /** Digests (clarity/event-digest.ts). */
  events: Buffer | null;
}

/** A contract whose watched variables a call may write. */
export interface CallStateTable {
  contract_id: string;
  call_id: number;
}

/** Where reading failed, the reason is there too. */
export interface ArchiveTable extends FailureColumns {
  archive_id: Generated<number>;
  prefix_bytes: number;
  prefix_hash: string;
  last_line_offset: number;
  last_line_hash: string;
  next_offset: number;
  next_line: number;
  /** As the user named it, until it has been read to its end. */
  unfinished_name: string | null;
}

/** Events that were skipped, by name. */
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

/** What the last run of a command did. */
export interface RunTable {
  command: 'index' | 'build';
  started_at: Time;
  finished_at: Time | null;
  outcome: string | null;
  summary: Json;
}

export interface InfoTable {
  key: string;
  value: string;
}

/**
 * `collection`: which tokens it has; `work`: the jobs of a token, which its status shows; `image`: a copy; `status`: the
 * chain and its tip.
 */
export type Entity = 'contract' | 'token' | 'collection' | 'work' | 'image' | 'status';

/** The revision at which each served entity last changed; triggers write it (migrations/0009-ledger.ts). */
export interface LedgerTable {
  revision: number;
  entity: Entity;
  /** `contract_key`, `token_id`, `deploy_id` of a collection, the SHA-256 of a copy, or 0 for the status. */
  key: number | string;
}

/** A history of the ledger: it has the revisions after this one, up to where the next history begins. */
export interface HistoryTable {
  after_revision: number;
  token: string;
}

export interface Schema {
  info: InfoTable;
  block: BlockTable;
  deploy: DeployTable;
  deploy_code: DeployCodeTable;
  inclusion: InclusionTable;
  contract: ContractTable;
  token: TokenTable;
  served_token: ServedTokenView;
  token_event: TokenEventTable;
  collection: CollectionTable;
  update_mode: UpdateModeView;
  evaluation_input: EvaluationInputTable;
  reading: ReadingTable;
  report: ReportTable;
  listed_token: ListedTokenTable;
  document: DocumentTable;
  image: ImageTable;
  image_file: ImageFileTable;
  job: JobTable;
  asset_supply: AssetSupplyTable;
  supply_change: SupplyChangeTable;
  notification: NotificationTable;
  watched_variable: WatchedVariableTable;
  watched_function: WatchedFunctionTable;
  recorded_calls: RecordedCallsTable;
  called_function: CalledFunctionTable;
  code_reference: CodeReferenceTable;
  call: CallTable;
  call_state: CallStateTable;
  archive: ArchiveTable;
  counter: CounterTable;
  chain_failure: ChainFailureTable;
  run: RunTable;
  ledger: LedgerTable;
  history: HistoryTable;
}
