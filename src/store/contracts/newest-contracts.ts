// Reads the contracts that were deployed last.

import { sql } from 'kysely';
import type { TokenStandard } from '#model/token.ts';
import { listed } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';

/** The maximum number of contracts to read. */
const SHOWN_CONTRACTS = 10;

/** Reads the canonical contracts that were deployed last, newest first, optionally only tokens of these standards. */
export async function newestContracts(store: StoreReader, standards?: readonly TokenStandard[]) {
  // The plus keeps SQLite from using the index on standard, which would sort all tokens.
  const isChosen = standards === undefined ? sql`true` : sql`+deploy.standard in ${listed(standards)}`;
  const { rows } = await sql<{ contractId: string; height: number }>`
    select contract.contract_id as contractId, block_height as height
    from contract join deploy using (deploy_id)
    where contract.canonical = 1 and contract.confirmed = 1 and ${isChosen}
    order by block_height desc, tx_index desc, contract.contract_id limit ${SHOWN_CONTRACTS}`.execute(store);
  return rows;
}
