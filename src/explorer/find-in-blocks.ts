// Finds contracts in the search files, as any client may: a block index names the blocks to read.
import { runAhead } from '#concurrency/run-ahead.ts';
import { nameKey } from '#layout/fold-names.ts';
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
): Promise<Progress> {
  const orders = ordersOf(blockIndex, prefix);
  const isFirst = ({ key, isAddress }: Block, index: number) => index === 0 && (!isAddress || key === prefix);
  const first = orders.flatMap((blocks) => blocks.filter(isFirst));
  const later = orders.flatMap((blocks) => blocks.filter((block, index) => !isFirst(block, index)));
  // Exact names are in the first block of each order.
  const steps = [first, ...later.map((block) => [block])];
  const exact: string[] = [];
  const longer: string[] = [];
  let read = 0;
  for (const step of steps) {
    if (exact.length + longer.length >= enough) break;
    const blocks = await Promise.all(step.map(({ id }) => readBlock(id)));
    for (const [index, { key, isAddress }] of step.entries()) {
      for (const row of blocks[index] ?? []) {
        for (const id of contractsOf(row, isAddress)) {
          const searched = isAddress ? id : nameKey(row[0]);
          if (searched.startsWith(key)) (searched === key ? exact : longer).push(id);
        }
      }
    }
    read += step.length;
  }
  return { found: [...new Set([...exact, ...longer])], read, of: first.length + later.length };
}

/** Browsers send this many requests to a host at once. */
export const CONCURRENT_REQUESTS = 6;

/** Receives the progress. Returns false to stop. */
type Show = (progress: Progress) => boolean;

/** Finds all contracts of an address. */
export async function findOfAddress(
  { addresses }: Pick<ContractBlockIndex, 'addresses'>,
  readBlock: ReadBlock,
  address: string,
  show: Show,
) {
  const blocks = blocksOf(addresses, `${address}.`);
  const of = blocks.length;
  const found: string[] = [];
  let read = 0;
  if (!show({ found: [], read, of })) return;
  for await (const rows of runAhead(blocks, CONCURRENT_REQUESTS - 1, ([, id]) => readBlock(id))) {
    for (const row of rows) if (row[0] === address) for (const id of contractsOf(row, true)) found.push(id);
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
function ordersOf({ names, addresses }: ContractBlockIndex, prefix: string): readonly (readonly Block[])[] {
  const key = nameKey(prefix);
  const id = prefix.replace(/^[^.]*/, (address) => address.toUpperCase());
  // Names contain no dot.
  const byName = prefix.includes('.') ? [] : blocksOf(names, key);
  const byAddress = ADDRESS.test(id) ? blocksOf(addresses, id) : [];
  return [
    byName.map(([, block]) => ({ id: block, key, isAddress: false })),
    byAddress.map(([, block]) => ({ id: block, key: id, isAddress: true })),
  ];
}

/** Returns the last block whose first key sorts at or before the key, and all blocks that begin with the key. */
function blocksOf(blockIndex: BlockIndex, key: string): BlockIndex[number][] {
  const last = blockIndex.findLastIndex(([first]) => first <= key);
  return blockIndex.filter(([first], index) => index === last || first.startsWith(key));
}

function contractsOf([group, ...members]: BlockRow, isAddress: boolean): string[] {
  return members.map((member) => (isAddress ? `${group}.${member}` : `${member}.${group}`));
}
