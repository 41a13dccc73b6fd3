// Queries about served contracts: the deploy served for each contract id, and its place in the chain.

import { sql } from 'kysely';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import { isCollectionStandard, NO_NUMBER, type TokenGetter, type TokenStandard } from '#model/token.ts';
import { hashFromBlob } from '#sqlite/columns.ts';
import { inPages, listed } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';
import { changedContracts } from '../ledger/ledger.ts';
import type { Candidate } from './candidates.ts';

export interface ServedContract extends Candidate {
  readonly senderAddress: string;
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
  readonly standard: TokenStandard | undefined;
}

export function isFungibleToken(contract: ServedContract): boolean {
  return contract.standard === 'sip-010' && isTokenContract(contract);
}

export function isCollection(contract: ServedContract): boolean {
  return isCollectionStandard(contract.standard) && isTokenContract(contract);
}

export function isTokenContract({ standard, canonical, confirmed }: ServedContract): boolean {
  return standard !== undefined && canonical && confirmed;
}

export async function readServed(store: StoreReader, contractId: string): Promise<ServedContract | undefined> {
  return (await readServedAmong(store, [contractId]))[0];
}

export async function readServedAmong(store: StoreReader, contractIds: readonly string[]): Promise<ServedContract[]> {
  const rows = await servedQuery(store).where('contract.contract_id', 'in', listed(contractIds)).execute();
  return rows.map(toServed);
}

export async function readServedOfDeploys(store: StoreReader, deployIds: readonly number[]): Promise<ServedContract[]> {
  const rows = await servedQuery(store).where('contract.deploy_id', 'in', listed(deployIds)).execute();
  return rows.map(toServed);
}

export async function tokenContractsAmong(
  store: StoreReader,
  contractIds: readonly string[],
): Promise<ServedContract[]> {
  return (await readServedAmong(store, contractIds)).filter(isTokenContract);
}

const PAGE_ROWS = 500;

/** Pages through served contracts by contract id: all, or only tokens of the given standards. */
export async function* servedContracts(
  store: StoreReader,
  standards?: readonly TokenStandard[],
): AsyncGenerator<ServedContract[]> {
  const pages = inPages(
    (after) =>
      servedQuery(store)
        .where('contract.contract_id', '>', after)
        .$if(standards !== undefined, (query) =>
          query
            // The plus keeps SQLite from using the index on standard, which would sort all tokens for each page.
            .where(sql<string>`+deploy.standard`, 'in', standards ?? [])
            .where('contract.canonical', '=', 1)
            .where('contract.confirmed', '=', 1)
            .where((eb) =>
              eb.exists(
                eb
                  .selectFrom('token')
                  .select('token_id')
                  .whereRef('deploy_id', '=', 'contract.deploy_id')
                  .where('token_number', '=', NO_NUMBER),
              ),
            ),
        )
        .orderBy('contract.contract_id')
        .limit(PAGE_ROWS)
        .execute(),
    ({ contractId }) => contractId,
    '',
  );
  for await (const rows of pages) yield rows.map(toServed);
}

/** A fungible token with metadata or on-chain values, and the fields that lists of all tokens show. */
export interface AnsweredToken {
  readonly tokenId: number;
  readonly deployId: number;
  readonly contractId: string;
  /** True if it has both values and metadata. */
  readonly isComplete: boolean;
  /** Truncated, since a contract may return a megabyte; empty if there is no value. */
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number | undefined;
  readonly hasMetadata: boolean;
}

/** Characters, of up to four bytes each. */
const SHOWN = 200;

/** Pages through every token that has an answer, oldest row first. */
export async function* answeredTokens(store: StoreReader): AsyncGenerator<AnsweredToken[]> {
  // SQLite's substr() of a text ends at a NUL.
  const beginOf = (
    getter: TokenGetter,
  ) => sql<Buffer | null>`(select substr(cast(value as blob), 1, ${sql.lit(4 * SHOWN)})
    from reading where reading.token_id = served_token.token_id and getter = ${sql.lit(getter)})`;
  const pages = inPages(
    (after) =>
      store
        .selectFrom('served_token')
        .select(['token_id', 'deploy_id', 'contract_id', 'state'])
        .select([beginOf('get-name').as('name'), beginOf('get-symbol').as('symbol')])
        .select(beginOf('get-decimals').as('decimals'))
        .select((eb) =>
          eb
            .exists(
              eb
                .selectFrom('document')
                .select('document.token_id')
                .whereRef('document.token_id', '=', 'served_token.token_id')
                .where('locale', '=', DEFAULT_LOCALE)
                .where('document', 'is not', null),
            )
            .as('has_metadata'),
        )
        .where('token_id', '>', after)
        .where('state', 'in', ['complete', 'partial'])
        .where('standard', '=', 'sip-010')
        .orderBy('token_id')
        .limit(PAGE_ROWS)
        .execute(),
    (row) => row.token_id,
    0,
  );
  for await (const rows of pages)
    yield rows.map((row) => ({
      tokenId: row.token_id,
      deployId: row.deploy_id,
      contractId: row.contract_id,
      isComplete: row.state === 'complete',
      name: shownPart(row.name),
      symbol: shownPart(row.symbol),
      decimals: row.decimals === null ? undefined : Number(row.decimals),
      hasMetadata: Boolean(row.has_metadata),
    }));
}

function shownPart(bytes: Buffer | null): string {
  const text = bytes?.toString() ?? '';
  return text.length <= SHOWN ? text : [...text].slice(0, SHOWN).join('');
}

/** The fungible token that was deployed first, which does not change as the chain grows. */
export function firstAnsweredToken(store: StoreReader): Promise<{ readonly contractId: string } | undefined> {
  return store
    .selectFrom('served_token')
    .innerJoin('contract', 'contract.contract_id', 'served_token.contract_id')
    .select('contract.contract_id as contractId')
    .where('state', 'in', ['complete', 'partial'])
    .where('standard', '=', 'sip-010')
    .orderBy('contract.block_height')
    .orderBy('contract.tx_index')
    .orderBy('contract.contract_id')
    .limit(1)
    .executeTakeFirst();
}

/** Pages through the given contracts, as {@link servedContracts} does. */
export async function* servedContractsAmong(
  store: StoreReader,
  contractIds: readonly string[],
): AsyncGenerator<ServedContract[]> {
  for (let start = 0; start < contractIds.length; start += PAGE_ROWS) {
    const page = await readServedAmong(store, contractIds.slice(start, start + PAGE_ROWS));
    yield page.sort((left, right) => (left.contractId < right.contractId ? -1 : 1));
  }
}

/** True if a token of these standards, or a contract that is or was one, changed after a revision. */
export async function hasTokenChanged(
  store: StoreReader,
  sinceRevision: number,
  standards: readonly TokenStandard[],
): Promise<boolean> {
  const changed = await changedContracts(store, sinceRevision, ['contract', 'token', 'collection']);
  const row = await store
    .selectFrom('deploy')
    .select('deploy_id')
    .where('contract_id', 'in', listed([...changed.keys()]))
    // The plus keeps SQLite from using the index on standard: it looks up these contracts instead of all tokens.
    .where(sql<string>`+standard`, 'in', standards)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function servedQuery(store: StoreReader) {
  return store
    .selectFrom('contract')
    .innerJoin('deploy', 'deploy.deploy_id', 'contract.deploy_id')
    .select(['contract.contract_id as contractId', 'contract.deploy_id as deployId'])
    .select(['contract.block_height as blockHeight', 'contract.tx_index as txIndex'])
    .select(['contract.canonical', 'contract.confirmed', 'deploy.tx_id', 'deploy.sender_address as senderAddress'])
    .select(['deploy.clarity_version', 'deploy.epoch', 'deploy.standard']);
}

type ServedRow = Awaited<ReturnType<ReturnType<typeof servedQuery>['execute']>>[number];

function toServed({ tx_id, clarity_version, epoch, standard, ...row }: ServedRow): ServedContract {
  return {
    ...row,
    canonical: row.canonical === 1,
    confirmed: row.confirmed === 1,
    txId: hashFromBlob(tx_id),
    clarityVersion: clarity_version ?? undefined,
    epoch: epoch ?? undefined,
    standard: standard ?? undefined,
  };
}
