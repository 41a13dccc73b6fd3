// Filters rows of contracts.

/** A contract id, and the names of functions that are called. */
export type ContractRow = readonly string[];

/** Keeps rows whose contract id or functions contain the text, in any case. */
export function filterRows(rows: readonly ContractRow[], text: string): readonly ContractRow[] {
  const part = text.trim().toLowerCase();
  if (part === '') return rows;
  return rows.filter((texts) => texts.some((one) => one.toLowerCase().includes(part)));
}
