// Adds when a block's burn block was mined, so that a site can say how old it is; for stored blocks it is not known.

export const blockTimes: readonly string[] = [`alter table block add column burn_block_time integer`];
