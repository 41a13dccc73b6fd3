// Tables of what sources say about calls and functions: who may call whom, and who defines what.
import { blob, integer, keyed, text } from '#sqlite/tables.ts';

export const REFERENCES = {
  /** A function that the code of a deploy may call (clarity/name-key.ts). */
  code_reference: keyed({ key: integer(), deploy_id: integer('references deploy') }, 'primary key (key, deploy_id)'),

  /** A function of a contract that code names, and its key, which another name may share. */
  called_name: keyed(
    {
      /** `*` for a function called on a trait. */
      contract_id: text(),
      function_name: text(),
      key: integer(),
    },
    'primary key (contract_id, function_name)',
  ),

  /** The public and read-only functions of a contract; most contracts share theirs with others. */
  function_set: keyed({
    /** SHA-256 of the names. */
    functions_hash: blob('primary key'),
    /** Names, sorted and joined by spaces. */
    names: text(),
  }),
};
