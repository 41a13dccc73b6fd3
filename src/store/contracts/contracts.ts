// Queries about served contracts: the deploy served for each contract id, and its place in the chain.

import { type SqlBool, sql } from 'kysely';
import type { InterfaceOrigin } from '#model/contract-interface.ts';
import type { FailureCode } from '#model/failure.ts';
import { beginOfName, MAX_SHOWN_NAME } from '#model/shown-name.ts';
import { isCollectionStandard, type TokenGetter, type TokenStandard } from '#model/token.ts';
import { hashFromBlob } from '#sqlite/columns.ts';
import { inOrderOf, listed, runsOf } from '#sqlite/lists.ts';
import type { NewDeploy } from '../chain/upsert-deploys.ts';
import type { StoreReader } from '../index-database.ts';
import { changedContracts } from '../ledger/ledger.ts';
import type { Candidate } from './candidates.ts';

export interface ServedContract extends Omit<Candidate, 'burnHeight'>, Pick<NewDeploy, 'senderAddress' | 'standard'> {
  /** The origin of the interface; undefined if the interface is missing. */
  readonly interfaceFrom: InterfaceOrigin | undefined;
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
  const served = servedQuery(store).where('contract.contract_id', 'in', listed(contractIds));
  return (await served.execute()).map(toServed);
}

export async function readServedOfDeploys(store: StoreReader, deployIds: readonly number[]): Promise<ServedContract[]> {
  const served = servedQuery(store).where('contract.deploy_id', 'in', listed(deployIds));
  return (await served.execute()).map(toServed);
}

export async function tokenContractsAmong(store: StoreReader, contractIds: readonly string[]) {
  return (await readServedAmong(store, contractIds)).filter(isTokenContract);
}

const PAGE_ROWS = 500;

/** Yields pages of served contracts in order of contract id; with `standards`, only tokens of these standards. */
export async function* servedContracts(store: StoreReader, standards?: readonly TokenStandard[]) {
  const served = servedQuery(store).$if(standards !== undefined, (query) =>
    query
      // The plus keeps SQLite from using the index on standard, which would sort all tokens for each page.
      .where(sql<string>`+deploy.standard`, 'in', standards ?? [])
      .where(sql<SqlBool>`contract.canonical = 1 and contract.confirmed = 1
        and exists (select 1 from token where deploy_id = contract.deploy_id and token_number = '')`),
  );
  for await (const rows of inOrderOf(served, 'contract.contract_id', 'contractId', PAGE_ROWS)) yield rows.map(toServed);
}

/** A fungible token that has metadata or on-chain values, with the fields that token lists show. */
export interface AvailableToken {
  readonly tokenId: number;
  readonly deployId: number;
  readonly contractId: string;
  /** True if the token has both on-chain values and metadata. */
  readonly isComplete: boolean;
  /** The name, cut off at {@link MAX_SHOWN_NAME}; empty for a token without a name. */
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number | undefined;
  readonly hasMetadata: boolean;
}

/** Maximum bytes of a character in UTF-8. */
const CHARACTER_BYTES = 4;

/** Yields pages of the fungible tokens that have values or metadata, in the order in which the index added them. */
export async function* availableTokens(store: StoreReader): AsyncGenerator<AvailableToken[]> {
  const hasMetadata = sql<0 | 1>`exists (select 1 from document
    where document.token_id = served_token.token_id and locale = '' and document is not null)`;
  const tokens = selectAvailable(store)
    .select(['token_id as tokenId', 'deploy_id as deployId', 'contract_id as contractId', 'state'])
    .select([beginOf('get-name').as('name'), beginOf('get-symbol').as('symbol')])
    .select([beginOf('get-decimals').as('decimals'), hasMetadata.as('hasMetadata')]);
  for await (const rows of inOrderOf(tokens, 'token_id', 'tokenId', PAGE_ROWS, 0))
    yield rows.map(({ state, ...row }) => ({
      ...row,
      isComplete: state === 'complete',
      name: shownPart(row.name),
      symbol: shownPart(row.symbol),
      decimals: row.decimals === null ? undefined : Number(row.decimals),
      hasMetadata: row.hasMetadata === 1,
    }));
}

/** Selects the beginning of a value. Cuts bytes instead of text, because SQLite's substr() of a text ends at a NUL. */
const BEGIN = sql<Buffer | null>`substr(cast(value as blob), 1, ${sql.lit(CHARACTER_BYTES * MAX_SHOWN_NAME)})`;
const beginOf = (getter: TokenGetter) => sql<Buffer | null>`(select ${BEGIN}
  from reading where reading.token_id = served_token.token_id and getter = ${getter})`;

function selectAvailable(store: StoreReader) {
  const tokens = store.selectFrom('served_token').where('standard', '=', 'sip-010');
  return tokens.where('state', 'in', ['complete', 'partial']);
}

function shownPart(bytes: Buffer | null): string {
  return beginOfName(bytes?.toString() ?? '');
}

/** Returns the {@link AvailableToken} that was deployed first, which stays the first as the chain grows. */
export async function firstAvailableToken(store: StoreReader): Promise<{ readonly contractId: string } | undefined> {
  return inDeployOrder(store).select('contract.contract_id as contractId').limit(1).executeTakeFirst();
}

/** A fungible token, with its symbol and its name; empty for `none`, and undefined if the value was not read. */
export interface NamedToken {
  readonly tokenId: number;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
}

/** Failures of a getter that was read: it has no value on the chain either. */
const READ_WITHOUT_VALUE: readonly FailureCode[] = ['getter-error', 'getter-wrong-type', 'value-too-long'];

/** Returns the names and symbols of all fungible tokens, in the order of their deploys. */
export async function readNamedTokens(store: StoreReader): Promise<NamedToken[]> {
  const begin = (getter: TokenGetter) => sql`(select case
    when value is null and failure_code not in ${listed(READ_WITHOUT_VALUE)} then null
    else coalesce(${BEGIN}, x'') end
    from reading where reading.token_id = served_token.token_id and getter = ${getter})`;
  const { rows } = await sql<{ tokenId: number; name: Buffer | null; symbol: Buffer | null }>`
    select token_id as tokenId, ${begin('get-name')} as name, ${begin('get-symbol')} as symbol
    from served_token join contract using (contract_id) where standard = 'sip-010'
    order by block_height, tx_index, contract_id`.execute(store);
  return rows.map(({ tokenId, name, symbol }) => ({
    tokenId,
    name: name === null ? undefined : shownPart(name),
    symbol: symbol === null ? undefined : shownPart(symbol),
  }));
}

function inDeployOrder(store: StoreReader) {
  const tokens = selectAvailable(store).innerJoin('contract', 'contract.contract_id', 'served_token.contract_id');
  return tokens.orderBy(sql`contract.block_height, contract.tx_index, contract.contract_id`);
}

/** Yields pages of the served contracts among these ids. */
export async function* servedContractsAmong(store: StoreReader, contractIds: readonly string[]) {
  for (const run of runsOf(contractIds, PAGE_ROWS)) {
    const page = await readServedAmong(store, run);
    yield page.sort((left, right) => (left.contractId < right.contractId ? -1 : 1));
  }
}

/** True if a contract with a deploy of one of these standards changed after a revision, or one of its tokens did. */
export async function hasTokenChanged(store: StoreReader, sinceRevision: number, standards: readonly TokenStandard[]) {
  const changed = await changedContracts(store, sinceRevision, ['contract', 'token', 'collection']);
  const row = await store
    .selectFrom('deploy')
    .select('deploy_id')
    .where('contract_id', 'in', listed([...changed.keys()]))
    // The plus keeps SQLite from using the index on standard, so that it looks up only these contracts.
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
    .select(['contract.clarity_version', 'contract.epoch', 'deploy.standard', 'deploy.interface_from']);
}

type ServedRow = Awaited<ReturnType<ReturnType<typeof servedQuery>['execute']>>[number];

function toServed({ tx_id, clarity_version, epoch, standard, interface_from, ...row }: ServedRow): ServedContract {
  return {
    ...row,
    canonical: row.canonical === 1,
    confirmed: row.confirmed === 1,
    txId: hashFromBlob(tx_id),
    clarityVersion: clarity_version ?? undefined,
    epoch: epoch ?? undefined,
    standard: standard ?? undefined,
    interfaceFrom: interface_from ?? undefined,
  };
}
