import { type SelectQueryBuilder, sql } from 'kysely';
import type { PackedCode } from '#model/packed-code.ts';
import type { TokenStandard } from '#model/token.ts';
import type { Candidate } from './candidates.ts';
import { CODE_COLUMNS, toPackedCode } from './code-columns.ts';
import { hashFromBlob } from './hashes.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inPages, inRuns } from './lists.ts';
import type { Schema } from './schema.ts';

export interface ServedContract extends Candidate {
  readonly senderAddress: string;
  readonly clarityVersion: number | undefined;
  readonly epoch: string | undefined;
  readonly standard: TokenStandard | undefined;
  readonly revision: number;
}

/** Marks contracts as changed, so that the next build renders them again. */
export async function touchContracts(
  store: StoreWriter,
  contractIds: readonly string[],
  revision: number,
): Promise<number> {
  let touched = 0;
  for (const run of inRuns(contractIds)) {
    touched += Number(
      (await store.updateTable('contract').set({ revision }).where('contract_id', 'in', run).executeTakeFirst())
        .numUpdatedRows,
    );
  }
  return touched;
}

export async function touchContractsOfDeploys(
  store: StoreWriter,
  deployIds: readonly number[],
  revision: number,
): Promise<void> {
  for (const run of inRuns(deployIds))
    await store.updateTable('contract').set({ revision }).where('deploy_id', 'in', run).execute();
}

/** With the plus, SQLite reads the few contracts in question by their ids, and not all tokens by the index of standards. */
const STANDARD_OF_FEW = sql<string>`+deploy.standard`;

const PAGE_ROWS = 500;

/** Up to so many changed contracts are read at once: by their revision, and not along all contracts. */
const FEW_ROWS = 5_000;

/** Contracts whose answers changed after a revision, in the order of their ids, a page at a time. */
export async function* changedContracts(store: StoreReader, sinceRevision: number): AsyncGenerator<ServedContract[]> {
  if (sinceRevision > 0 && (await countChanged(store, sinceRevision)) <= FEW_ROWS) {
    const rows = await servedQuery(store).where('contract.revision', '>', sinceRevision).execute();
    const changed = rows.map(toServed).sort((left, right) => (left.contractId < right.contractId ? -1 : 1));
    for (let start = 0; start < changed.length; start += PAGE_ROWS) yield changed.slice(start, start + PAGE_ROWS);
    return;
  }
  const pages = inPages(
    (after) =>
      servedQuery(store)
        .where('contract.contract_id', '>', after)
        // On a first build every contract has changed: the order then comes from the primary key, without sorting.
        .$if(sinceRevision > 0, (query) => query.where('contract.revision', '>', sinceRevision))
        .orderBy('contract.contract_id')
        .limit(PAGE_ROWS)
        .execute(),
    (row) => row.contract_id,
    '',
  );
  for await (const rows of pages) yield rows.map(toServed);
}

/** Contracts that are served as fungible tokens, in the order of their ids, a page at a time. */
export async function* servedTokenContracts(store: StoreReader): AsyncGenerator<ServedContract[]> {
  const pages = inPages(
    (after) =>
      servedQuery(store)
        .innerJoin('token', 'token.deploy_id', 'contract.deploy_id')
        .where('contract.contract_id', '>', after)
        .where('contract.canonical', '=', 1)
        .where('contract.confirmed', '=', 1)
        .orderBy('contract.contract_id')
        .limit(PAGE_ROWS)
        .execute(),
    (row) => row.contract_id,
    '',
  );
  for await (const rows of pages) yield rows.map(toServed);
}

/** How many contracts {@link changedContracts} gives. */
export async function countChanged(store: StoreReader, sinceRevision: number): Promise<number> {
  const row = await store
    .selectFrom('contract')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .$if(sinceRevision > 0, (query) => query.where('revision', '>', sinceRevision))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Contracts that are served as fungible tokens which have an answer, by the age of their tokens, a page at a time. */
export async function* answeredTokenContracts(store: StoreReader): AsyncGenerator<ServedContract[]> {
  const pages = inPages(
    (after) =>
      store
        .selectFrom('token')
        // In this order, which SQLite keeps in a cross join: there are fewer tokens than contracts.
        .crossJoin('contract')
        .innerJoin('deploy', 'deploy.deploy_id', 'contract.deploy_id')
        .select([...SERVED_COLUMNS, 'token.token_id'])
        .whereRef('contract.deploy_id', '=', 'token.deploy_id')
        .where('token.token_id', '>', after)
        .where('token.state', 'in', ['complete', 'partial'])
        .where('contract.canonical', '=', 1)
        .where('contract.confirmed', '=', 1)
        .orderBy('token.token_id')
        .limit(PAGE_ROWS)
        .execute(),
    (row) => row.token_id,
    0,
  );
  for await (const rows of pages) yield rows.map(toServed);
}

/** How many contracts {@link servedTokenContracts} gives. */
export async function countServedTokens(store: StoreReader): Promise<number> {
  const row = await store
    .selectFrom('contract')
    .innerJoin('token', 'token.deploy_id', 'contract.deploy_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('contract.canonical', '=', 1)
    .where('contract.confirmed', '=', 1)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Whether a contract that changed after a revision is a fungible token, or was one: one of its deploys is. */
export async function hasTokenChanged(store: StoreReader, sinceRevision: number): Promise<boolean> {
  const row = await store
    .selectFrom('contract')
    .select('contract_id')
    .where('revision', '>', sinceRevision)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('deploy')
          .select('deploy.deploy_id')
          .whereRef('deploy.contract_id', '=', 'contract.contract_id')
          .where(STANDARD_OF_FEW, '=', 'sip-010'),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readServed(store: StoreReader, contractId: string): Promise<ServedContract | undefined> {
  const row = await servedQuery(store).where('contract.contract_id', '=', contractId).executeTakeFirst();
  return row === undefined ? undefined : toServed(row);
}

export async function readServedAmong(store: StoreReader, contractIds: readonly string[]): Promise<ServedContract[]> {
  const served: ServedContract[] = [];
  for (const run of inRuns(contractIds)) {
    const rows = await servedQuery(store).where('contract.contract_id', 'in', run).execute();
    served.push(...rows.map(toServed));
  }
  return served;
}

export async function readServedOfDeploys(store: StoreReader, deployIds: readonly number[]): Promise<ServedContract[]> {
  const served: ServedContract[] = [];
  for (const run of inRuns(deployIds)) {
    const rows = await servedQuery(store).where('contract.deploy_id', 'in', run).execute();
    served.push(...rows.map(toServed));
  }
  return served;
}

/** Canonical, confirmed contracts of a standard among the given ones. */
export async function tokensAmong(
  store: StoreReader,
  contractIds: readonly string[],
  standard: TokenStandard,
): Promise<ServedContract[]> {
  const tokens: ServedContract[] = [];
  for (const run of inRuns(contractIds)) {
    const rows = await servedQuery(store)
      .where('contract.contract_id', 'in', run)
      .where(STANDARD_OF_FEW, '=', standard)
      .where('contract.canonical', '=', 1)
      .where('contract.confirmed', '=', 1)
      .execute();
    tokens.push(...rows.map(toServed));
  }
  return tokens;
}

/** The code of deploys, by the deploy's id. */
export async function readCode(store: StoreReader, deployIds: readonly number[]): Promise<Map<number, PackedCode>> {
  const code = new Map<number, PackedCode>();
  for (const run of inRuns(deployIds)) {
    const rows = await store
      .selectFrom('deploy_code')
      .select(['deploy_id', ...CODE_COLUMNS])
      .where('deploy_id', 'in', run)
      .execute();
    for (const row of rows) code.set(row.deploy_id, toPackedCode(row));
  }
  return code;
}

export interface ContractCounts {
  readonly contracts: number;
  readonly canonical: number;
  readonly unconfirmed: number;
  readonly byStandard: Readonly<Record<TokenStandard, number>>;
}

export async function countContracts(store: StoreReader): Promise<ContractCounts> {
  const count = (query: SelectQueryBuilder<Schema, 'contract', unknown>) =>
    query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const contracts = store.selectFrom('contract');
  // Literals, so that SQLite knows the partial indexes when it prepares the statements.
  const { count: all } = await count(contracts);
  const { count: orphaned } = await count(contracts.where((eb) => eb('canonical', '=', eb.lit(0))));
  const unconfirmed = await count(
    contracts.where((eb) => eb('confirmed', '=', eb.lit(0))).where((eb) => eb('canonical', '=', 1)),
  );
  const tokens = await store
    .selectFrom('deploy')
    // In this order: few deploys are tokens, and SQLite keeps to it where the join is a cross join.
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
    unconfirmed: unconfirmed.count,
    byStandard: { 'sip-009': of('sip-009'), 'sip-010': of('sip-010'), 'sip-013': of('sip-013') },
  };
}

const SERVED_COLUMNS = [
  'contract.contract_id',
  'contract.deploy_id',
  'contract.block_height',
  'contract.tx_index',
  'contract.canonical',
  'contract.confirmed',
  'contract.revision',
  'deploy.tx_id',
  'deploy.sender_address',
  'deploy.clarity_version',
  'deploy.epoch',
  'deploy.standard',
] as const;

function servedQuery(store: StoreReader) {
  return store
    .selectFrom('contract')
    .innerJoin('deploy', 'deploy.deploy_id', 'contract.deploy_id')
    .select(SERVED_COLUMNS);
}

type ServedRow = Awaited<ReturnType<ReturnType<typeof servedQuery>['execute']>>[number];

function toServed(row: ServedRow): ServedContract {
  return {
    contractId: row.contract_id,
    deployId: row.deploy_id,
    blockHeight: row.block_height,
    txIndex: row.tx_index,
    canonical: row.canonical === 1,
    confirmed: row.confirmed === 1,
    revision: row.revision,
    txId: hashFromBlob(row.tx_id),
    senderAddress: row.sender_address,
    clarityVersion: row.clarity_version ?? undefined,
    epoch: row.epoch ?? undefined,
    standard: (row.standard ?? undefined) as TokenStandard | undefined,
  };
}
