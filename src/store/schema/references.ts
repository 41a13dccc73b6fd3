// Tables of what sources say about calls and functions: who may call whom, and who defines what.
import { blob, createTable, integer, type Row, text, WITHOUT_ROWID } from './columns.ts';

/** A function that the code of a deploy may call (clarity/name-key.ts). */
const codeReference = { key: integer(), deploy_id: integer('references deploy') };

/** A function of a contract that code names, and its key, which another name may share. */
const calledName = {
  /** `*` for a function called on a trait. */
  contract_id: text(),
  function_name: text(),
  key: integer(),
};

/** The public and read-only functions of a contract; most contracts share theirs with others. */
const functionSet = {
  /** SHA-256 of the names. */
  functions_hash: blob('primary key'),
  /** Names, sorted and joined by spaces. */
  names: text(),
};

export interface ReferenceTables {
  code_reference: Row<typeof codeReference>;
  called_name: Row<typeof calledName>;
  function_set: Row<typeof functionSet>;
}

export const REFERENCES: readonly string[] = [
  createTable('code_reference', codeReference, ['primary key (key, deploy_id)'], WITHOUT_ROWID),
  createTable('called_name', calledName, ['primary key (contract_id, function_name)'], WITHOUT_ROWID),
  createTable('function_set', functionSet, [], WITHOUT_ROWID),
];
