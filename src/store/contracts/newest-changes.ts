// Reads what changed last on the chain, newest first: contracts that were deployed, and token URIs that a call set.

import { sql } from 'kysely';
import type { TokenStandard } from '#model/token.ts';
import { hashFromBlob } from '#sqlite/columns.ts';
import { canonicalBlocksAt } from '../chain/blocks.ts';
import type { StoreReader } from '../index-database.ts';

export interface ChainChange {
  readonly contractId: string;
  readonly standard: TokenStandard | undefined;
  /** Of the deploy. */
  readonly txId: string;
  readonly height: number;
  /** Time of the burn block, in seconds since the epoch; undefined if it is not known. */
  readonly time: number | undefined;
  /** Set if the token's URI changed: the URI itself, empty if there is none. The contract is new otherwise. */
  readonly uri?: string;
}

/** So many are shown. */
const SHOWN_CHANGES = 200;
/** Longer URIs, such as documents in `data:` URIs, are cut off. */
const LONGEST_URI = 300;

/** At most {@link SHOWN_CHANGES}; optionally only of contracts of some standards. The same for the same chain, however it was read. */
export async function newestChanges(store: StoreReader, standards?: readonly TokenStandard[]): Promise<ChainChange[]> {
  const deploys = await readDeploys(store, standards);
  const uris = standards?.includes('sip-010') === false ? [] : await readUris(store);
  // Those of one height stay in their order: the later transaction first.
  return [...uris, ...deploys].sort((left, right) => right.height - left.height).slice(0, SHOWN_CHANGES);
}

async function readDeploys(
  store: StoreReader,
  standards: readonly TokenStandard[] | undefined,
): Promise<ChainChange[]> {
  const rows = await servedDeploys(store)
    .$if(standards !== undefined, (query) => query.where('deploy.standard', 'in', standards ?? []))
    .select('contract.block_height as height')
    .orderBy('contract.block_height', 'desc')
    .orderBy('contract.tx_index', 'desc')
    .orderBy('contract.contract_id')
    .limit(SHOWN_CHANGES)
    .execute();
  return withTimes(store, rows.map(toChange));
}

/**
 * Of fungible tokens alone: every mint may change the URIs of a collection, and an answer of a node or an API does not
 * say when.
 */
async function readUris(store: StoreReader): Promise<ChainChange[]> {
  const rows = await servedDeploys(store)
    .innerJoin('token', (join) => join.onRef('token.deploy_id', '=', 'deploy.deploy_id').on('token_number', '=', ''))
    .innerJoin('reading', 'reading.token_id', 'token.token_id')
    .select('reading.height')
    .select(sql<string>`coalesce(substr(reading.value, 1, ${sql.lit(LONGEST_URI)}), '')`.as('uri'))
    .where('deploy.standard', '=', 'sip-010')
    .where('token.state', 'in', ['complete', 'partial'])
    .where('reading.getter', '=', 'get-token-uri')
    .where('reading.source', '=', 'vm')
    .where('reading.failure_code', 'is', null)
    .whereRef('reading.height', '>', 'contract.block_height')
    .orderBy('reading.height', 'desc')
    .orderBy('contract.contract_id')
    .limit(SHOWN_CHANGES)
    .execute();
  const changes = rows.map((row) => ({ ...toChange({ ...row, height: row.height ?? 0 }), uri: row.uri }));
  return withTimes(store, changes);
}

function servedDeploys(store: StoreReader) {
  return store
    .selectFrom('contract')
    .innerJoin('deploy', 'deploy.deploy_id', 'contract.deploy_id')
    .select(['contract.contract_id', 'deploy.standard', 'deploy.tx_id'])
    .where('contract.canonical', '=', 1)
    .where('contract.confirmed', '=', 1);
}

function toChange(row: {
  readonly contract_id: string;
  readonly standard: TokenStandard | null;
  readonly tx_id: Buffer;
  readonly height: number;
}): Omit<ChainChange, 'time'> {
  const { contract_id: contractId, standard, tx_id: txId, height } = row;
  return { contractId, standard: standard ?? undefined, txId: hashFromBlob(txId), height };
}

async function withTimes(store: StoreReader, changes: readonly Omit<ChainChange, 'time'>[]): Promise<ChainChange[]> {
  const heights = changes.map(({ height }) => height);
  const blocks = await canonicalBlocksAt(store, heights);
  const times = new Map(blocks.map(({ height, burnBlockTime }) => [height, burnBlockTime]));
  return changes.map((change) => ({ ...change, time: times.get(change.height) }));
}
