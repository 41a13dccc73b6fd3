// SQL expressions about ids of blocks. An id contains the height of its block (chain/block-records.ts).

/** Returns an SQL expression for the height in a block id. */
export const heightOfId = (id: string) => `(${id} >> 12)`;

/** Returns an SQL condition that is true for a canonical block. All other blocks have a row in `side_block`. */
export const isCanonical = (id: string) => `not exists (select 1 from side_block where side_block.block_id = ${id})`;
