// Lists all tables, indexes, views and triggers of the index. Each file of this folder has the SQL of some tables and
// the types of their columns.
import { INFO_TABLE, type InfoTable } from '#sqlite/info.ts';
import {
  type ArchiveTable,
  type AssetSupplyTable,
  type BlockTable,
  CHAIN,
  type ChainFailureTable,
  type CounterTable,
  type DeployCodeTable,
  type DeployTable,
  type InclusionTable,
  type NotificationTable,
  type SupplyChangeTable,
  type UpdateModeView,
} from './chain.ts';
import { CONTRACTS, type ContractTable, type ListedTokenTable, type ReportTable } from './contracts.ts';
import { DOCUMENTS, type DocumentTable, type ImageFileTable, type ImageTable } from './documents.ts';
import { type HistoryTable, LEDGER, type LedgerTable } from './ledger.ts';
import { type CalledNameTable, type CodeReferenceTable, type FunctionSetTable, REFERENCES } from './references.ts';
import {
  type CallStateTable,
  type CallTable,
  REPLAY,
  type RecordedCallsTable,
  type SeenTable,
  type WatchedFunctionTable,
  type WatchedVariableTable,
} from './replay.ts';
import {
  type CollectionTable,
  type ReadingTable,
  type ServedTokenView,
  TOKENS,
  type TokenEventTable,
  type TokenTable,
} from './tokens.ts';
import { type EvaluationInputTable, type JobTable, type RunTable, WORK } from './work.ts';

export interface Schema {
  info: InfoTable;
  block: BlockTable;
  deploy: DeployTable;
  deploy_code: DeployCodeTable;
  inclusion: InclusionTable;
  asset_supply: AssetSupplyTable;
  supply_change: SupplyChangeTable;
  notification: NotificationTable;
  update_mode: UpdateModeView;
  archive: ArchiveTable;
  counter: CounterTable;
  chain_failure: ChainFailureTable;
  contract: ContractTable;
  report: ReportTable;
  listed_token: ListedTokenTable;
  token: TokenTable;
  served_token: ServedTokenView;
  token_event: TokenEventTable;
  collection: CollectionTable;
  reading: ReadingTable;
  document: DocumentTable;
  image: ImageTable;
  image_file: ImageFileTable;
  job: JobTable;
  evaluation_input: EvaluationInputTable;
  run: RunTable;
  watched_variable: WatchedVariableTable;
  watched_function: WatchedFunctionTable;
  recorded_calls: RecordedCallsTable;
  seen: SeenTable;
  code_reference: CodeReferenceTable;
  called_name: CalledNameTable;
  function_set: FunctionSetTable;
  call: CallTable;
  call_state: CallStateTable;
  ledger: LedgerTable;
  history: HistoryTable;
}

export const SCHEMA: readonly string[] = [
  INFO_TABLE,
  ...CHAIN,
  ...REFERENCES,
  ...CONTRACTS,
  ...TOKENS,
  ...DOCUMENTS,
  ...REPLAY,
  ...WORK,
  ...LEDGER,
];
