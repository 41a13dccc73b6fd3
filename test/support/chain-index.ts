// Applies blocks to an index without an archive, and reads values from the index for tests.
import { type AppliedBatch, applyBatch, type Batch } from '#indexer/chain/apply-batch.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { eventReader } from '#source/event-archive/event-reader.ts';
import { parseLine } from '#source/event-archive/parse-line.ts';
import { readServed, type ServedContract } from '#store/contracts/contracts.ts';
import type { Store } from '#store/index-database.ts';
import { type BlockOptions, blockLine, type Json, line, microblocksJson } from './transactions.ts';

const NO_POSITION = { prefixBytes: 0, prefixHash: '', lastLineOffset: 0, lastLineHash: '', nextOffset: 0, nextLine: 1 };

function event(text: string): ChainEvent {
  const [event] = parseLine(Buffer.from(text.slice(0, -1)), 'copy', eventReader()) ?? [];
  if (event === undefined) throw new Error('the line is not an event');
  return event;
}

export function block(options: BlockOptions): ChainEvent {
  return event(blockLine(options));
}

/**
 * Returns a block at a height. Its parent is the block at the height below, unless `fields` contains a different
 * parent.
 */
export function at(height: number, transactions: readonly Json[], fields: Partial<BlockOptions> = {}): ChainEvent {
  return block({ height, transactions, ...fields });
}

export function microblocks(parent: string | number, transactions: readonly Json[]): ChainEvent {
  return event(line('/new_microblocks', microblocksJson(parent, transactions)));
}

/** Applies events to an index in one batch. */
export function apply(
  store: Store,
  events: readonly ChainEvent[],
  over: Partial<Omit<Batch, 'events'>> = {},
): Promise<AppliedBatch> {
  return applyBatch(store, {
    events,
    broken: [],
    position: NO_POSITION,
    archiveName: 'chain.tsv',
    archiveId: undefined,
    nft: 'uris',
    maxNftTokens: 50_000,
    finalBlocks: 10_000,
    newChainId: 1,
    ...over,
  });
}

/**
 * Returns `name@height` of the served contract, followed by `!` if it is not canonical and `?` if it is not confirmed.
 * Returns undefined if no contract is served.
 */
export async function served(store: Store, contractId: string): Promise<string | undefined> {
  const contract = await readServed(store, contractId);
  if (contract === undefined) return undefined;
  const name = contractId.split('.')[1];
  return `${name}@${contract.blockHeight}${contract.canonical ? '' : '!'}${contract.confirmed ? '' : '?'}`;
}

export async function mustRead(store: Store, contractId: string): Promise<ServedContract> {
  const contract = await readServed(store, contractId);
  if (contract === undefined) throw new Error(`${contractId} is not served`);
  return contract;
}
