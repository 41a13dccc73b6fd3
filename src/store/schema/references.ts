// Tables of what sources say about calls and functions: who may call whom, and who defines what.

/** A function that the code of a deploy may call (clarity/name-key.ts). */
export interface CodeReferenceTable {
  key: number;
  deploy_id: number;
}

/** The name behind a key: a function of a contract that code names. */
export interface CalledNameTable {
  key: number;
  /** `*` for a function called on a trait. */
  contract_id: string;
  function_name: string;
}

/** The public and read-only functions of a contract; most contracts share theirs with others. */
export interface FunctionSetTable {
  function_set_id: number;
  /** Names, sorted and joined by spaces. */
  names: string;
}

export const REFERENCES: readonly string[] = [
  `create table code_reference (
    key integer not null,
    deploy_id integer not null references deploy,
    primary key (key, deploy_id)
  ) strict, without rowid`,
  `create table called_name (key integer primary key, contract_id text not null, function_name text not null) strict`,
  `create index called_name_contract on called_name (contract_id)`,
  `create table function_set (function_set_id integer primary key, names text not null) strict`,
];
