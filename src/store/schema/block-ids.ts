// SQL about ids of blocks, which hold the height (chain/block-records.ts).

/** The height in the id of a block. */
export const heightOfId = (id: string) => `(${id} >> 12)`;

/** True if a block is canonical: only the others have rows. */
export const isCanonical = (id: string) => `not exists (select 1 from side_block where side_block.block_id = ${id})`;
