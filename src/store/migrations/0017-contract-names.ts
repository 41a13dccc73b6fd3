// Adds an index by which contracts are read in the order of their names: search files have them so.

/** A contract's name, the part behind its address, whatever its case. */
export const LOWER_NAME = `lower(substr(contract_id, instr(contract_id, '.') + 1))`;

export const contractNames: readonly string[] = [
  `create index contract_by_name on contract (${LOWER_NAME}, contract_id)`,
];
