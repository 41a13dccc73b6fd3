// Adds indexes by which contracts are read in the order of their names, as search files have them, and contracts' own
// rows of `token` beside a million of tokens with numbers; and records when there is a contract more, or one less.
import { triggersOf } from './0009-ledger.ts';

/** Key of an entity `status`: which contracts there are, whatever is served of them. */
export const CONTRACT_NAMES = 'names';

/** A contract's name, the part behind its address, whatever its case. */
export const LOWER_NAME = `lower(substr(contract_id, instr(contract_id, '.') + 1))`;

export const search: readonly string[] = [
  `create index contract_by_name on contract (${LOWER_NAME}, contract_id)`,
  `create index token_of_contract on token (deploy_id) where token_number = ''`,
  ...triggersOf({
    entity: 'status',
    table: 'contract',
    columns: ['contract_id'],
    keys: () => `select '${CONTRACT_NAMES}'`,
  }),
];
