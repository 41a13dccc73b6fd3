// Combines all tables, indexes, views and triggers of the index from the other files of this folder.
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

/** All statements, in order. The ledger's triggers come last, after the tables that they record. */
export const SCHEMA: readonly string[] = [...statementsOf(TABLES), ...statementsOf(LEDGER)];
