// Tables of the functions and traits that sources name, and of the functions that they define.
import { blob, generated, integer, keyed, oneOf, table, text } from '#sqlite/tables.ts';

export const REFERENCES = {
  /** A function that sources call, or a trait that they implement or use (clarity/find-names.ts). */
  code_name: table(
    {
      name_id: generated(integer('primary key')),
      form: oneOf('contract-call?', 'impl-trait', 'use-trait'),
      /** `*` for a function called on a trait. */
      contract_id: text(),
      name: text(),
    },
    'unique (contract_id, name, form)',
  ),

  /** A name in the source of a deploy. */
  code_reference: keyed(
    { name_id: integer('references code_name'), deploy_id: integer('references deploy') },
    'primary key (name_id, deploy_id)',
  ).and(`create index code_reference_deploy on code_reference (deploy_id)`),

  /** The public and read-only functions of a contract; most contracts share theirs with others. */
  function_set: keyed({
    /** SHA-256 of the names. */
    functions_hash: blob('primary key'),
    /** Names, sorted and joined by spaces. */
    names: text(),
  }),
};
