// Tables of what sources say about calls and functions: who may call whom, and who defines what.

/** A function that the code of a deploy may call (clarity/name-key.ts). */
export interface CodeReferenceTable {
  key: number;
  deploy_id: number;
}

/** A function of a contract that code names, and its key, which another name may share. */
export interface CalledNameTable {
  /** `*` for a function called on a trait. */
  contract_id: string;
  function_name: string;
  key: number;
}

/** The public and read-only functions of a contract; most contracts share theirs with others. */
export interface FunctionSetTable {
  /** SHA-256 of the names. */
  functions_hash: Buffer;
  /** Names, sorted and joined by spaces. */
  names: string;
}

export const REFERENCES: readonly string[] = [
  `create table code_reference (
    key integer not null,
    deploy_id integer not null references deploy,
    primary key (key, deploy_id)
  ) strict, without rowid`,
  `create table called_name (
    contract_id text not null,
    function_name text not null,
    key integer not null,
    primary key (contract_id, function_name)
  ) strict, without rowid`,
  `create table function_set (functions_hash blob primary key, names text not null) strict, without rowid`,
];
