// Finds contracts and functions in the search files, as any client may: a block index names the blocks to read.
import { runAhead } from '#concurrency/run-ahead.ts';
import type { BlockIndex, BlockRow, ContractBlockIndex } from '#routes/search-blocks.ts';

type ReadBlock = (id: string) => Promise<readonly BlockRow[]>;

export interface Progress {
  /** Contract ids. Later steps add to the same list. */
  readonly found: readonly string[];
  /** The number of blocks that were read. */
  readonly read: number;
  /** The number of blocks to read. */
  readonly of: number;
}

export interface FoundContracts extends Progress {
  /** Patterns of generated names that match, and their number of contracts, which `found` excludes. */
  readonly families: readonly (readonly [pattern: string, size: number])[];
}

/** Matches the beginning of a contract id. Addresses contain no I, L, O and U. */
const ADDRESS = /^S[MNPT][0-9A-HJKMNP-TV-Z]*(?:\.|$)/;

/**
 * Finds contracts whose name or id has the prefix, with an address in any case, until there are `enough`. Exact names
 * come first. Ids come last if the prefix is in lower case, since it is rather a name.
 */
export async function findContracts(
  blockIndex: ContractBlockIndex,
  readBlock: ReadBlock,
  prefix: string,
  enough = Number.POSITIVE_INFINITY,
): Promise<FoundContracts> {
  const orders = ordersOf(blockIndex, prefix);
  const isFirst = ({ key, isAddress }: Block, index: number) => index === 0 && (!isAddress || key === prefix);
  const first = orders.flatMap((blocks) => blocks.filter(isFirst));
  const later = orders.flatMap((blocks) => blocks.filter((block, index) => !isFirst(block, index)));
  // Exact names are in the first block of each order.
  const steps = [first, ...later.map((block) => [block])];
  const families: (readonly [string, number])[] = [];
  const exact: string[] = [];
  const longer: string[] = [];
  let read = 0;
  for (const step of steps) {
    if (exact.length + longer.length >= enough) break;
    const blocks = await Promise.all(step.map(({ id }) => readBlock(id)));
    for (const [index, { key, isAddress }] of step.entries()) {
      for (const row of blocks[index] ?? []) {
        const [group, size] = row;
        if (typeof size === 'number' && group.startsWith(key)) families.push([group, size]);
        for (const id of contractsOf(row, isAddress)) {
          const searched = isAddress ? id : group.toLowerCase();
          if (searched.startsWith(key)) (searched === key ? exact : longer).push(id);
        }
      }
    }
    read += step.length;
  }
  return { found: [...new Set([...exact, ...longer])], families, read, of: first.length + later.length };
}

/** Browsers send this many requests to a host at once. */
const CONCURRENT_REQUESTS = 6;

/** Receives the progress. Returns false to stop. */
type Show = (progress: Progress) => boolean;

/** Finds all contracts of an address. */
export function findOfAddress(
  { addresses }: Pick<ContractBlockIndex, 'addresses'>,
  readBlock: ReadBlock,
  address: string,
  show: Show,
) {
  const blocks = blocksOf(addresses, `${address}.`);
  return readAll(blocks, readBlock, show, (row) => (row[0] === address ? contractsOf(row, true) : []));
}

async function readAll(blocks: BlockIndex, readBlock: ReadBlock, show: Show, idsIn: (row: BlockRow) => string[]) {
  const of = blocks.length;
  const found: string[] = [];
  let read = 0;
  if (!show({ found: [], read, of })) return;
  for await (const rows of runAhead(blocks, CONCURRENT_REQUESTS - 1, ([, id]) => readBlock(id))) {
    for (const row of rows) for (const id of idsIn(row)) found.push(id);
    if (!show({ found, read: ++read, of })) return;
  }
}

interface Block {
  readonly id: string;
  /** The text to find in the block: the beginning of a name in lower case, or of a contract id. */
  readonly key: string;
  readonly isAddress: boolean;
}

/** Returns the blocks of each order that may contain the prefix. */
function ordersOf({ names, families, addresses }: ContractBlockIndex, prefix: string): readonly (readonly Block[])[] {
  const key = prefix.toLowerCase();
  const pattern = key.replaceAll(/\d+/g, '#');
  const members = Object.entries(families).filter(([family]) => pattern !== key && family.startsWith(pattern));
  // Names contain no dot.
  const orders = prefix.includes('.') ? [] : [names, ...members.map(([, blockIndex]) => blockIndex)];
  const id = prefix.replace(/^[^.]*/, (address) => address.toUpperCase());
  return [
    ...orders.map((blockIndex) => blocksOf(blockIndex, key).map(([, id]) => ({ id, key, isAddress: false }))),
    ...(ADDRESS.test(id)
      ? [blocksOf(addresses, id).map(([, block]) => ({ id: block, key: id, isAddress: true }))]
      : []),
  ];
}

/** Returns the last block whose first key sorts at or before the key, and all blocks that begin with the key. */
function blocksOf(blockIndex: BlockIndex, key: string): BlockIndex[number][] {
  const last = blockIndex.findLastIndex(([first]) => first <= key);
  return blockIndex.filter(([first], index) => index === last || first.startsWith(key));
}

/** Returns no contracts for the row of a pattern, since blocks of its own contain them. */
function contractsOf([group, ...members]: BlockRow, isAddress: boolean): string[] {
  return members.flatMap((member) =>
    typeof member === 'number' ? [] : isAddress ? `${group}.${member}` : `${member}.${group}`,
  );
}

/** A name, the number of contracts that define it, and the ids of the first ones. */
export type FunctionRow = readonly [name: string, count: number, ...contractIds: string[]];
/** A row of a block. If an earlier block began the name, the row has no number. */
type FunctionBlockRow = FunctionRow | readonly string[];

/** Longer prefixes are faster than more blocks. */
const MAX_FUNCTION_BLOCKS = 2;

/** Finds the functions whose name has the prefix, in the order of the blocks. */
export async function findFunctions(
  blockIndex: BlockIndex,
  readBlock: (id: string) => Promise<readonly FunctionBlockRow[]>,
  prefix: string,
): Promise<FunctionRow[]> {
  const key = prefix.toLowerCase();
  const matching = blocksOf(blockIndex, key).slice(0, MAX_FUNCTION_BLOCKS);
  const blocks = await Promise.all(matching.map(([, id]) => readBlock(id)));
  const found = new Map<string, [string, number, ...string[]]>();
  for (const [name = '', ...members] of blocks.flat()) {
    const [count, ...ids] = members;
    if (!name.toLowerCase().startsWith(key)) continue;
    if (typeof count === 'number') found.set(name, [name, count, ...(ids as string[])]);
    // An earlier block began the name.
    else for (const id of members as string[]) found.get(name)?.push(id);
  }
  return [...found.values()];
}
