// Finds functions by the beginning of their name, in the blocks of search/functions.
import { blocksOf } from './find-contracts.ts';

/** First name and id of each block. */
export type FunctionFence = readonly (readonly [first: string, id: string])[];

/** A name, how many contracts have it, and the ids of some of them. */
export type FunctionRow = readonly [name: string, count: number, ...contractIds: string[]];
/** As it is in a block: a name that another block began goes on without the number. */
type BlockRow = FunctionRow | readonly string[];

/** More than these begin so rarely that a longer text is quicker. */
const MOST_BLOCKS = 2;

/** The rows whose name begins so, in their order. */
export async function findFunctions(
  fence: FunctionFence,
  readBlock: (id: string) => Promise<readonly BlockRow[]>,
  prefix: string,
): Promise<FunctionRow[]> {
  const own = blocksOf(fence, prefix).slice(0, MOST_BLOCKS);
  const blocks = await Promise.all(own.map(([, id]) => readBlock(id)));
  return blocks
    .flat()
    .filter((row): row is FunctionRow => row[0]?.startsWith(prefix) === true && typeof row[1] === 'number');
}
