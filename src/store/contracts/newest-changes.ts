// Reads the newest changes on the chain: deployed contracts, and token URIs that a call set.

import { type RawBuilder, sql } from 'kysely';
import type { TokenStandard } from '#model/token.ts';
import { withoutNulls } from '#sqlite/columns.ts';
import { listed } from '#sqlite/lists.ts';
import { canonicalBlocksAt } from '../chain/blocks.ts';
import type { StoreReader } from '../index-database.ts';

export interface ChainChange {
  readonly contractId: string;
  readonly standard: TokenStandard | undefined;
  /** Id of the transaction that deployed the contract. */
  readonly txId: string;
  readonly height: number;
  /** Time of the burn block, in seconds since the epoch; undefined if it is unknown. */
  readonly time: number | undefined;
  /** The new URI of a token, empty if a call removed it; undefined for a new contract. */
  readonly uri: string | undefined;
}

/** The maximum number of changes to read, and the maximum number of contracts. */
const SHOWN_CHANGES = 200;
const SHOWN_CONTRACTS = 10;
/** The maximum length of a URI. Longer URIs, such as `data:` URIs with documents, are cut off. */
const LONGEST_URI = 300;

/**
 * Reads at most {@link SHOWN_CHANGES} changes, newest first, optionally only of contracts with these standards. At the
 * same height, URIs come before deploys, and the last deploy comes first. The result depends only on the chain, and not
 * on how it was indexed.
 */
export async function newestChanges(store: StoreReader, standards?: readonly TokenStandard[]): Promise<ChainChange[]> {
  const hasUris = standards?.includes('sip-010') ?? true;
  const { rows } = await sql<Omit<ChainChange, 'time'>>`
    select contract_id as contractId, standard, '0x' || lower(hex(tx_id)) as txId, changed.height, uri
    from (select * from (${newestDeploys(standards, SHOWN_CHANGES)})
      union all select * from (${newestUris(hasUris)})) as changed
    order by changed.height desc, uri is null, tx_index desc, contract_id limit ${SHOWN_CHANGES}`.execute(store);
  const heights = rows.map(({ height }) => height);
  const times = new Map((await canonicalBlocksAt(store, heights)).map((block) => [block.height, block.burnBlockTime]));
  return rows.map((row) => ({ ...withoutNulls(row), time: times.get(row.height) }));
}

/** Reads the canonical contracts that were deployed last, newest first, optionally only tokens of these standards. */
export async function newestContracts(store: StoreReader, standards?: readonly TokenStandard[]) {
  const { rows } = await sql<{ contractId: string; height: number }>`
    select contract_id as contractId, height from (${newestDeploys(standards, SHOWN_CONTRACTS)})`.execute(store);
  return rows;
}

function newestDeploys(standards: readonly TokenStandard[] | undefined, limit: number): RawBuilder<unknown> {
  // The plus keeps SQLite from using the index on standard, which would sort all tokens.
  const isChosen = standards === undefined ? sql`true` : sql`+deploy.standard in ${listed(standards)}`;
  return sql`select contract.contract_id, standard, tx_id, block_height as height, tx_index, null as uri
    from contract join deploy using (deploy_id)
    where contract.canonical = 1 and contract.confirmed = 1 and ${isChosen}
    order by block_height desc, tx_index desc, contract.contract_id limit ${limit}`;
}

/**
 * Selects the newest URIs of fungible tokens. Skips collections, because every mint may change their URIs. Skips values
 * from nodes and APIs, because they lack the height of the change.
 */
function newestUris(areShown: boolean): RawBuilder<unknown> {
  return sql`select contract.contract_id, 'sip-010', tx_id, reading.height, 0,
    coalesce(substr(reading.value, 1, ${LONGEST_URI}), '')
  from served_token join contract using (deploy_id) join deploy using (deploy_id) join reading using (token_id)
  where ${areShown ? 1 : 0} and served_token.standard = 'sip-010' and state in ('complete', 'partial')
    and getter = 'get-token-uri' and source = 'vm' and reading.failure_code is null
    and reading.height > contract.block_height
  order by reading.height desc, contract.contract_id limit ${SHOWN_CHANGES}`;
}
