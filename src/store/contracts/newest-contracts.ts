// Reads the contracts that were deployed last.

import { sql } from 'kysely';
import { splitContractId } from '#model/principal.ts';
import type { TokenStandard } from '#model/token.ts';
import { listed } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';

const SHOWN_CONTRACTS = 10;
/** The number of contracts to search. One address may have deployed all of them, or a series under many addresses. */
const SEARCHED_CONTRACTS = 10_000;

/**
 * Reads the contracts that were deployed last, newest first: of each address only the newest, and of contracts whose
 * names differ only in digits, too. Optionally only tokens of these standards.
 */
export async function newestContracts(store: StoreReader, standards?: readonly TokenStandard[]) {
  // The plus keeps SQLite from using the index on standard, which would sort all tokens.
  const isChosen = standards === undefined ? sql`true` : sql`+deploy.standard in ${listed(standards)}`;
  const { rows } = await sql<{ contractId: string; height: number }>`
    select contract.contract_id as contractId, block_height as height
    from contract join deploy using (deploy_id)
    where contract.canonical = 1 and contract.confirmed = 1 and ${isChosen}
    order by block_height desc, tx_index desc, contract.contract_id limit ${SEARCHED_CONTRACTS}`.execute(store);
  const seen = new Set<string>();
  const isFirst = ({ contractId }: (typeof rows)[number]) => {
    const { address, name } = splitContractId(contractId);
    const series = name.replace(/\d+/g, '0');
    if (seen.has(address) || seen.has(series)) return false;
    seen.add(address).add(series);
    return true;
  };
  return rows.filter(isFirst).slice(0, SHOWN_CONTRACTS);
}
