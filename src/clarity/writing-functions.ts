// Finds the functions of a source that may write variables or maps, or create or burn tokens. Does not
// resolve names, so it may find too many functions.

import { WRITES } from './builtins.ts';
import { CALL, FUNCTIONS } from './contract-scope.ts';
import { atomsOf, definedName, headOf, itemsOf, parseSource } from './parse-source.ts';

/**
 * The contracts that a function may write. `own`: only the contract that defines it. `any`: also the contracts that it
 * calls, which may depend on its arguments.
 */
export type Writing = 'own' | 'any';

const EXISTENCE_WRITES: ReadonlySet<string> = new Set(['nft-mint?', 'nft-burn?']);

/**
 * Returns the functions that may write, by name, including private functions. All other functions write nothing, or
 * only assets and STX.
 */
export function findWritingFunctions(source: string): Map<string, Writing> {
  const functions = parseSource(source).filter((expression) => FUNCTIONS.has(headOf(expression) ?? ''));
  const names = new Set(functions.map(definedName));
  const calls: { readonly caller: string; readonly callee: string }[] = [];
  const writing = new Map<string, Writing>();
  const open: [string, Writing][] = [];
  for (const definition of functions) {
    const name = definedName(definition);
    if (name === undefined) continue;
    for (const { text } of atomsOf(itemsOf(definition).slice(2)))
      if (text === CALL) open.push([name, 'any']);
      else if (WRITES.has(text) || EXISTENCE_WRITES.has(text)) open.push([name, 'own']);
      else if (names.has(text)) calls.push({ caller: name, callee: text });
  }
  const callsOf = Map.groupBy(calls, ({ callee }) => callee);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, how] = next;
    if (writing.get(name) === 'any' || writing.get(name) === how) continue;
    writing.set(name, how);
    for (const { caller } of callsOf.get(name) ?? []) open.push([caller, how]);
  }
  return writing;
}

/** Merges the functions of all deploys of a contract; undefined without a deploy. */
export function findWritingFunctionsOf(sources: readonly string[]): ReadonlyMap<string, Writing> | undefined {
  if (sources.length === 0) return undefined;
  const merged = new Map<string, Writing>();
  for (const source of sources)
    for (const [name, writing] of findWritingFunctions(source))
      if (merged.get(name) !== 'any') merged.set(name, writing);
  return merged;
}
