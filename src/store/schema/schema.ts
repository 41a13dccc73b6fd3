// Lists all tables, indexes, views and triggers of the index. Each file of this folder has the SQL of some tables and
// the types of their columns.
import { INFO_TABLE, type InfoTable } from '#sqlite/info.ts';
import { CHAIN, type ChainTables } from './chain.ts';
import { CONTRACTS, type ContractTables } from './contracts.ts';
import { DOCUMENTS, type DocumentTables } from './documents.ts';
import { LEDGER, type LedgerTables } from './ledger.ts';
import { REFERENCES, type ReferenceTables } from './references.ts';
import { REPLAY, type ReplayTables } from './replay.ts';
import { TOKENS, type TokenTables } from './tokens.ts';
import { WORK, type WorkTables } from './work.ts';

export interface Schema
  extends ChainTables,
    ReferenceTables,
    ContractTables,
    TokenTables,
    DocumentTables,
    ReplayTables,
    WorkTables,
    LedgerTables {
  info: InfoTable;
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
