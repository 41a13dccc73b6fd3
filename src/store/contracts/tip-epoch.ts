// Reads the epoch at the tip of the chain, in which getters are called.
import { type SqlBool, sql } from 'kysely';
import { epochAt } from '#model/epoch-calendar.ts';
import { readTip } from '../chain/blocks.ts';
import type { StoreReader } from '../index-database.ts';
import { readInfo } from '../index-info.ts';

/**
 * Returns the name of the epoch at the tip: on mainnet, by its burn height; undefined on other chains. If a canonical
 * contract was deployed in an epoch that this version does not know, returns the name of that epoch.
 */
export async function readTipEpoch(store: StoreReader): Promise<string | undefined> {
  // Known epochs are stored with another name (storedEpochName). An index has only the contracts of unknown ones.
  const unknown = await store
    .selectFrom('contract')
    .select('epoch')
    .where(sql<SqlBool>`epoch glob 'Epoch*' and canonical = 1`)
    .limit(1)
    .executeTakeFirst();
  if (unknown !== undefined) return unknown.epoch ?? undefined;
  const [tip, { chainId }] = [await readTip(store), await readInfo(store)];
  return tip && epochAt(chainId, tip.burnBlockHeight)?.name;
}
