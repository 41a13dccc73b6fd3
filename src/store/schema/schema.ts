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
import { CONTRACTS, type ContractTables } from './contracts.ts';
import { DOCUMENTS, type DocumentTables } from './documents.ts';
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
import { TOKENS, type TokenTables } from './tokens.ts';
import { WORK, type WorkTables } from './work.ts';

export interface Schema extends ContractTables, TokenTables, DocumentTables, WorkTables {
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
