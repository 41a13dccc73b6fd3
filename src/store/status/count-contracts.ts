// Counts served contracts, tokens by standard, and token states.
import type { SelectQueryBuilder } from 'kysely';
import type { TokenStandard, TokenState } from '#model/token.ts';
import type { StoreReader } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';

export interface ContractCounts {
  readonly contracts: number;
  readonly canonical: number;
  readonly unconfirmed: number;
  readonly byStandard: Readonly<Record<TokenStandard, number>>;
}

export function countAllContracts(store: StoreReader): Promise<number> {
  return count(store.selectFrom('contract'));
}

export async function countContracts(store: StoreReader): Promise<ContractCounts> {
  const contracts = store.selectFrom('contract');
  const all = await count(contracts);
  // Literals, so that SQLite can choose the partial indexes when it prepares the statements.
  const orphaned = await count(contracts.where((eb) => eb('canonical', '=', eb.lit(0))));
  const unconfirmed = await count(
    contracts.where((eb) => eb('confirmed', '=', eb.lit(0))).where((eb) => eb('canonical', '=', 1)),
  );
  const tokens = await store
    .selectFrom('deploy')
    // The cross join makes SQLite start from deploys: few of them are tokens.
    .crossJoin('contract')
    .whereRef('contract.deploy_id', '=', 'deploy.deploy_id')
    .select((eb) => ['deploy.standard', eb.fn.countAll<number>().as('count')])
    .where('deploy.standard', 'is not', null)
    .where('contract.canonical', '=', 1)
    .where('contract.confirmed', '=', 1)
    .groupBy('deploy.standard')
    .execute();
  const of = (standard: TokenStandard) => tokens.find((row) => row.standard === standard)?.count ?? 0;
  return {
    contracts: all,
    canonical: all - orphaned,
    unconfirmed,
    byStandard: { 'sip-009': of('sip-009'), 'sip-010': of('sip-010'), 'sip-013': of('sip-013') },
  };
}

/** Counts tokens and collections of some standards that have rows in this index; a shard has only its own. */
export async function countServedTokens(store: StoreReader, standards: readonly TokenStandard[]): Promise<number> {
  const row = await store
    .selectFrom('served_token')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('standard', 'in', standards)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Counts served fungible tokens by state. */
export async function countTokenStates(store: StoreReader): Promise<Record<TokenState, number>> {
  const rows = await store
    .selectFrom('served_token')
    .where('standard', '=', 'sip-010')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  const of = (state: TokenState) => rows.find((row) => row.state === state)?.count ?? 0;
  return { queued: of('queued'), complete: of('complete'), partial: of('partial'), error: of('error') };
}

async function count(query: SelectQueryBuilder<Schema, 'contract', unknown>): Promise<number> {
  const row = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return row.count;
}
