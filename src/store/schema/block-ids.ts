// Ids of blocks. An id is the height of the block times 4,096, plus the fork number: the number of blocks at the same
// height that were stored before.

/** Maximum number of blocks at one height. */
export const MAX_FORKS = 4096;

export function heightOf(blockId: number): number {
  return Math.floor(blockId / MAX_FORKS);
}

export function blockIdOf(height: number, fork: number): number {
  return height * MAX_FORKS + fork;
}

/** Returns an SQL expression for the height in a block id. */
export const heightOfId = (id: string) => `(${id} >> 12)`;

/** Returns an SQL condition that is true for a canonical block. The index has few rows, the table has millions. */
export const isCanonical = (id: string) =>
  `not exists (select 1 from block indexed by block_side where block.block_id = ${id} and canonical = 0)`;
