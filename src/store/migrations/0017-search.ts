// Adds indexes by which contracts are read in the order of their names, as search files have them, and contracts' own
// rows of `token` beside a million of tokens with numbers.

/** A contract's name, the part behind its address, whatever its case. */
export const LOWER_NAME = `lower(substr(contract_id, instr(contract_id, '.') + 1))`;

export const search: readonly string[] = [
  `create index contract_by_name on contract (${LOWER_NAME}, contract_id)`,
  `create index token_of_contract on token (deploy_id) where token_number = ''`,
];
