// Lists all tables, indexes, views and triggers of the index; each file of this folder has the SQL and types of some.
import { INFO_TABLE, type InfoTable } from '#sqlite/info.ts';
import { CHAIN, type UpdateModeView } from './chain.ts';
import type { Row } from './columns.ts';
import { CONTRACTS } from './contracts.ts';
import { DOCUMENTS } from './documents.ts';
import { LEDGER, type LedgerTables } from './ledger.ts';
import { REFERENCES } from './references.ts';
import { REPLAY } from './replay.ts';
import { type ServedTokenView, TOKENS } from './tokens.ts';
import { WORK } from './work.ts';

const TABLES = { ...CHAIN, ...REFERENCES, ...CONTRACTS, ...TOKENS, ...DOCUMENTS, ...REPLAY, ...WORK };

type Tables = { [Name in keyof typeof TABLES]: Row<(typeof TABLES)[Name]['columns']> };

export interface Schema extends Tables, LedgerTables {
  info: InfoTable;
  update_mode: UpdateModeView;
  served_token: ServedTokenView;
}

export const SCHEMA: readonly string[] = [
  INFO_TABLE,
  ...Object.entries(TABLES).flatMap(([name, { statements }]) => statements(name)),
  ...LEDGER,
];
