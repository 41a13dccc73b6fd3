// Lists all tables, indexes, views and triggers of the index; each file of this folder has the SQL and types of some.
import { INFO } from '#sqlite/info.ts';
import { type RowsOf, statementsOf } from '#sqlite/tables.ts';
import { CHAIN, type UpdateModeView } from './chain.ts';
import { CONTRACTS } from './contracts.ts';
import { DOCUMENTS } from './documents.ts';
import { LEDGER } from './ledger.ts';
import { REFERENCES } from './references.ts';
import { REPLAY } from './replay.ts';
import { type ServedTokenView, TOKENS } from './tokens.ts';
import { WORK } from './work.ts';

const TABLES = { ...INFO, ...CHAIN, ...REFERENCES, ...CONTRACTS, ...TOKENS, ...DOCUMENTS, ...REPLAY, ...WORK };

export interface Schema extends RowsOf<typeof TABLES>, RowsOf<typeof LEDGER> {
  update_mode: UpdateModeView;
  served_token: ServedTokenView;
}

/** The ledger comes after the tables that it records. */
export const SCHEMA: readonly string[] = [...statementsOf(TABLES), ...statementsOf(LEDGER)];
