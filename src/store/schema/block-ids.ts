// SQL expressions about ids of blocks. An id contains the height of its block (chain/block-records.ts).

/** The height in the id of a block. */
export const heightOfId = (id: string) => `(${id} >> 12)`;

/** True if a block is canonical. Only blocks that are not canonical have a row in `side_block`. */
export const isCanonical = (id: string) => `not exists (select 1 from side_block where side_block.block_id = ${id})`;
