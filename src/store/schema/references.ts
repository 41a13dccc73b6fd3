// Tables of the functions and traits that contract sources refer to.
import { generated, integer, keyed, oneOf, table, text } from '#sqlite/tables.ts';

export const REFERENCES = {
  /** A function that a source calls, or a trait that a source implements or uses (clarity/find-names.ts). */
  code_name: table(
    {
      name_id: generated(integer('primary key')),
      form: oneOf('contract-call?', 'impl-trait', 'use-trait'),
      /** The contract that defines the function or trait; `*` for a function called on a trait. */
      contract_id: text(),
      name: text(),
    },
    'unique (contract_id, name, form)',
  ),

  /** A reference from the source of a deploy to a function or trait. */
  code_reference: keyed(
    { name_id: integer('references code_name'), deploy_id: integer('references deploy') },
    'primary key (name_id, deploy_id)',
  ).and(`create index code_reference_deploy on code_reference (deploy_id)`),
};
