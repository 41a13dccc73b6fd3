// Summarizes the contents of an index for the status response and the token list of a build.

import { type Block, readTip } from '../chain/blocks.ts';
import { countInterfaces } from '../chain/missing-interfaces.ts';
import type { StoreReader } from '../index-database.ts';
import { readInfo, readReportedTip } from '../index-info.ts';
import { countNumberedTokens } from '../tokens/collection-states.ts';
import { countContracts, countTokenStates } from './counts.ts';

/** The maximum number of contracts without an interface whose ids the status lists. */
const MAX_NAMED = 100;

export type Summary = Awaited<ReturnType<typeof countAll>>;

/** The known tip of the chain: the tip of the indexed blocks, or a higher one reported by an API or a node. */
export interface Tip {
  readonly height: number;
  /** Undefined if no blocks were indexed. */
  readonly block: Block | undefined;
  /** Time of the tip's burn block, ISO 8601 in UTC; undefined if unknown. */
  readonly minedAt: string | undefined;
}

/** Reads the summary. Caches it per transaction, since several parts of a build read it. */
export function readSummary(store: StoreReader): Promise<Summary> {
  const known = inTransactions.get(store);
  if (known !== undefined) return known;
  const summary = countAll(store);
  if (store.isTransaction) inTransactions.set(store, summary);
  return summary;
}

const inTransactions = new WeakMap<StoreReader, Promise<Summary>>();

async function countAll(store: StoreReader) {
  return {
    tip: await readKnownTip(store),
    vmVersion: (await readInfo(store)).vmVersion,
    contracts: await countContracts(store),
    interfaces: await countInterfaces(store, MAX_NAMED),
    states: await countTokenStates(store),
    // The number of collections' tokens, by standard.
    numbered: await countNumberedTokens(store),
  };
}

async function readKnownTip(store: StoreReader): Promise<Tip | undefined> {
  const block = await readTip(store);
  const reported = await readReportedTip(store);
  if (block !== undefined && block.height >= (reported ?? 0)) {
    const { height, burnBlockTime: seconds } = block;
    return { height, block, minedAt: seconds === undefined ? undefined : new Date(seconds * 1000).toISOString() };
  }
  return reported === undefined ? undefined : { height: reported, block: undefined, minedAt: undefined };
}
