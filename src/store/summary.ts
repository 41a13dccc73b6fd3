// What an index holds, in a few numbers: for the status answer and the landing page of a build.
import { type Block, readTip } from './blocks.ts';
import { type ContractCounts, countContracts, countTokenStates } from './count-contracts.ts';
import type { StoreReader } from './index-database.ts';

export interface Summary {
  readonly tip: Tip | undefined;
  readonly contracts: ContractCounts;
  readonly states: Awaited<ReturnType<typeof countTokenStates>>;
}

/** How far the chain was known: the tip of the indexed blocks, or the highest tip at which an API or a node was asked. */
export interface Tip {
  readonly height: number;
  /** Undefined where no blocks were indexed. */
  readonly block: Block | undefined;
  /** When its burn block was mined, ISO 8601 in UTC, where that is known. */
  readonly minedAt: string | undefined;
}

/** Within a transaction it is read once: nothing changes there for a build, of which several parts ask. */
export function readSummary(store: StoreReader): Promise<Summary> {
  const known = inTransactions.get(store);
  if (known !== undefined) return known;
  const summary = countAll(store);
  if (store.isTransaction) inTransactions.set(store, summary);
  return summary;
}

const inTransactions = new WeakMap<StoreReader, Promise<Summary>>();

async function countAll(store: StoreReader): Promise<Summary> {
  return {
    tip: await readKnownTip(store),
    contracts: await countContracts(store),
    states: await countTokenStates(store),
  };
}

async function readKnownTip(store: StoreReader): Promise<Tip | undefined> {
  const block = await readTip(store);
  const asked = await highestAsked(store);
  if (block !== undefined && block.height >= (asked ?? 0)) {
    const seconds = block.burnBlockTime;
    return {
      height: block.height,
      block,
      minedAt: seconds === undefined ? undefined : new Date(seconds * 1000).toISOString(),
    };
  }
  return asked === undefined ? undefined : { height: asked, block: undefined, minedAt: undefined };
}

async function highestAsked(store: StoreReader): Promise<number | undefined> {
  const report = await store
    .selectFrom('report')
    .select((eb) => eb.fn.max('tip_height').as('height'))
    .executeTakeFirst();
  const reading = await store
    .selectFrom('reading')
    .select((eb) => eb.fn.max('height').as('height'))
    .executeTakeFirst();
  const heights = [report?.height, reading?.height].filter((height) => height !== null && height !== undefined);
  return heights.length === 0 ? undefined : Math.max(...heights);
}
