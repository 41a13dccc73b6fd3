// Adds an index by which the contracts that were deployed last are found.
export const newest: readonly string[] = [`create index contract_by_height on contract (block_height, tx_index)`];
