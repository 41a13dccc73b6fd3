// Groups rows of contracts by their deployers.
import { splitContractId } from '#model/principal.ts';

/** A contract id, and the names of functions that are called. */
export type ContractRow = readonly string[];

export interface DeployerGroup {
  readonly address: string;
  readonly rows: readonly ContractRow[];
}

/** Returns the largest group first; groups of the same size keep their order. */
export function groupByDeployer(rows: readonly ContractRow[]): DeployerGroup[] {
  const groups = Map.groupBy(rows, ([id = '']) => splitContractId(id).address);
  const sorted = [...groups].map(([address, members]) => ({ address, rows: members }));
  return sorted.sort((left, right) => right.rows.length - left.rows.length);
}

export interface FunctionCount {
  readonly name: string;
  readonly count: number;
}

/** Counts the contracts that call each function, most used first. */
export function countFunctions(rows: readonly ContractRow[]): FunctionCount[] {
  const counts = new Map<string, number>();
  for (const [, ...names] of rows) for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, count })).sort((left, right) => right.count - left.count);
}

/** Keeps rows that call the function, if one is chosen, and whose id or functions contain the text. */
export function filterRows(rows: readonly ContractRow[], text: string, chosen = ''): readonly ContractRow[] {
  const part = text.trim().toLowerCase();
  if (part === '' && chosen === '') return rows;
  return rows.filter(
    ([id = '', ...names]) =>
      (chosen === '' || names.includes(chosen)) &&
      (id.toLowerCase().includes(part) || names.some((name) => name.toLowerCase().includes(part))),
  );
}
