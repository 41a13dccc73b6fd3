// Finds contracts and functions as any program may: by a fence of search files, and the blocks that it names.
import { runAhead } from '#concurrency/run-ahead.ts';
import type { BlockIndex, BlockRow, ContractBlockIndex } from '#routes/search-blocks.ts';

type ReadBlock = (id: string) => Promise<readonly BlockRow[]>;

export interface Progress {
  /** Contract ids. Later steps add to the same list. */
  readonly found: readonly string[];
  /** Blocks, so far and in all. */
  readonly read: number;
  readonly of: number;
}

export interface FoundContracts extends Progress {
  /** Generated names that begin so, by pattern, and how many contracts have them: `found` has none of these. */
  readonly families: readonly (readonly [pattern: string, size: number])[];
}

/** The beginning of a contract id: a name may look like an address, and an address has no I, L, O or U. */
const ADDRESS = /^S[MNPT][0-9A-HJKMNP-TV-Z]*(?:\.|$)/;

/** The contracts whose name or id begins so, those that are called so first. Reads on until there are `enough`. */
export async function findContracts(
  fence: ContractBlockIndex,
  readBlock: ReadBlock,
  prefix: string,
  enough = Number.POSITIVE_INFINITY,
): Promise<FoundContracts> {
  const orders = ordersOf(fence, prefix);
  const begin = orders.flatMap((blocks) => blocks.slice(0, 1));
  const later = orders.flatMap((blocks) => blocks.slice(1));
  // Contracts that are called so are where an order begins.
  const steps = [begin, ...later.map((block) => [block])];
  const families: (readonly [string, number])[] = [];
  const whole: string[] = [];
  const longer: string[] = [];
  let read = 0;
  for (const step of steps) {
    if (whole.length + longer.length >= enough) break;
    const answers = await Promise.all(step.map(({ id }) => readBlock(id)));
    for (const [index, { key, isAddress }] of step.entries()) {
      for (const row of answers[index] ?? []) {
        const [group, size] = row;
        if (typeof size === 'number' && group.startsWith(key)) families.push([group, size]);
        for (const id of contractsOf(row, isAddress)) {
          const searched = isAddress ? id : group.toLowerCase();
          if (searched.startsWith(key)) (searched === key ? whole : longer).push(id);
        }
      }
    }
    read += step.length;
  }
  return { found: [...new Set([...whole, ...longer])], families, read, of: begin.length + later.length };
}

/** A browser makes as many requests to a host at once. */
const AT_ONCE = 6;

/** Says whether to go on. */
type Show = (progress: Progress) => boolean;

/** The contracts whose name has the text in it, by reading all names. */
export function findEverywhere(
  { names, families }: ContractBlockIndex,
  readBlock: ReadBlock,
  text: string,
  show: Show,
) {
  const part = text.toLowerCase();
  const blocks = [...names, ...Object.values(families).flat()];
  return readAll(blocks, readBlock, show, (row) =>
    row[0].toLowerCase().includes(part) ? contractsOf(row, false) : [],
  );
}

/** All contracts of an address. */
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
  for await (const rows of runAhead(blocks, AT_ONCE - 1, ([, id]) => readBlock(id))) {
    for (const row of rows) for (const id of idsIn(row)) found.push(id);
    if (!show({ found, read: ++read, of })) return;
  }
}

interface Block {
  readonly id: string;
  /** The text that is looked for in it: the beginning of a name in lower case, or of a contract id. */
  readonly key: string;
  readonly isAddress: boolean;
}

/** The blocks of each order that may have it. */
function ordersOf({ names, families, addresses }: ContractBlockIndex, prefix: string): readonly (readonly Block[])[] {
  const key = prefix.toLowerCase();
  const pattern = key.replaceAll(/\d+/g, '#');
  const members = Object.entries(families).filter(([family]) => pattern !== key && family.startsWith(pattern));
  // No name has a dot.
  const ofNames = prefix.includes('.') ? [] : [names, ...members.map(([, fence]) => fence)];
  return [
    ...ofNames.map((fence) => blocksOf(fence, key).map(([, id]) => ({ id, key, isAddress: false }))),
    ...(ADDRESS.test(prefix)
      ? [blocksOf(addresses, prefix).map(([, id]) => ({ id, key: prefix, isAddress: true }))]
      : []),
  ];
}

/** The last block that begins with the key or before it, and all that begin with it. */
function blocksOf(fence: BlockIndex, key: string): BlockIndex[number][] {
  const last = fence.findLastIndex(([first]) => first <= key);
  return fence.filter(([first], index) => index === last || first.startsWith(key));
}

/** The row of a family has none: its own blocks have them. */
function contractsOf([group, ...members]: BlockRow, isAddress: boolean): string[] {
  return members.flatMap((member) =>
    typeof member === 'number' ? [] : isAddress ? `${group}.${member}` : `${member}.${group}`,
  );
}

/** A name, how many contracts have it, and the ids of some of them. */
export type FunctionRow = readonly [name: string, count: number, ...contractIds: string[]];
/** As it is in a block: a name that another block began goes on without the number. */
type FunctionBlockRow = FunctionRow | readonly string[];

/** More than these begin so rarely that a longer text is quicker. */
const MOST_BLOCKS = 2;

/** The rows of functions whose name begins so, in their order. */
export async function findFunctions(
  fence: BlockIndex,
  readBlock: (id: string) => Promise<readonly FunctionBlockRow[]>,
  prefix: string,
): Promise<FunctionRow[]> {
  const key = prefix.toLowerCase();
  const own = blocksOf(fence, key).slice(0, MOST_BLOCKS);
  const blocks = await Promise.all(own.map(([, id]) => readBlock(id)));
  const found = new Map<string, [string, number, ...string[]]>();
  for (const [name = '', ...members] of blocks.flat()) {
    const [count, ...ids] = members;
    if (!name.toLowerCase().startsWith(key)) continue;
    if (typeof count === 'number') found.set(name, [name, count, ...(ids as string[])]);
    // The block before began it.
    else for (const id of members as string[]) found.get(name)?.push(id);
  }
  return [...found.values()];
}
