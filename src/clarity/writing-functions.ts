// Finds the functions of a source that may write variables or maps, or create or burn tokens. Scans the text without
// parsing it, so it may find too many functions.

import { WRITES } from './builtins.ts';
import { FUNCTIONS } from './contract-scope.ts';
import { SourceScanner } from './source-scanner.ts';

/**
 * The contracts that a function may write. `own`: only the contract that defines it. `any`: also the contracts that it
 * calls, which may depend on its arguments.
 */
export type Writing = 'own' | 'any';

const CALL = 'contract-call?';
const EXISTENCE_WRITES: ReadonlySet<string> = new Set(['nft-mint?', 'nft-burn?']);

/**
 * Returns the functions that may write, by name, including private functions. All other functions write nothing, or
 * only assets and STX.
 */
export function findWritingFunctions(source: string): Map<string, Writing> {
  const atoms = findAtoms(source);
  const callers = new Map<string, string[]>();
  const writing = new Map<string, Writing>();
  const open: [string, Writing][] = [];
  for (const [name, named] of atoms) {
    for (const atom of named) if (atoms.has(atom)) addTo(callers, atom, name);
    if (named.has(CALL)) open.push([name, 'any']);
    else if (!named.isDisjointFrom(WRITES) || !named.isDisjointFrom(EXISTENCE_WRITES)) open.push([name, 'own']);
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, how] = next;
    if (writing.get(name) === 'any' || writing.get(name) === how) continue;
    writing.set(name, how);
    for (const caller of callers.get(name) ?? []) open.push([caller, how]);
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

/** Returns the atoms in the body of each function, by the function's name. */
function findAtoms(source: string): Map<string, Set<string>> {
  const functions = new Map<string, Set<string>>();
  const scanner = new SourceScanner(source);
  let depth = 0;
  let head: string | undefined;
  let atoms: Set<string> | undefined;
  for (let kind = scanner.next(); kind !== undefined; kind = scanner.next()) {
    if (kind === '(' || kind === '{') {
      if (depth++ === 0) [head, atoms] = [undefined, undefined];
    } else if (kind === ')' || kind === '}') depth = Math.max(0, depth - 1);
    else if (kind === 'atom' && depth > 0) {
      const { text } = scanner;
      if (head === undefined) head = text;
      else if (atoms !== undefined) atoms.add(text);
      else if (FUNCTIONS.has(head)) {
        atoms = functions.get(text) ?? new Set();
        functions.set(text, atoms);
      }
    }
  }
  return functions;
}

function addTo(lists: Map<string, string[]>, key: string, item: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
