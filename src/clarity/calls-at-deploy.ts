// Finds out from the source of a contract whether its deploy may call other contracts. Scans only code that runs during
// the deploy, and may wrongly return true.

import { BOOT_ADDRESSES } from '#model/principal.ts';
import { DEFINITIONS, FUNCTIONS } from './contract-scope.ts';
import { SourceScanner } from './source-scanner.ts';

const CALL = 'contract-call?';
const BOOT = [...BOOT_ADDRESSES].map((address) => `'${address}.`);

/** Returns true if the deploy may call a contract that is not a boot contract. */
export function callsAtDeploy(text: string): boolean {
  const { atoms, bodies } = splitSource(text);
  // `addAtom` adds atoms to this set while the loop visits it.
  for (const atom of atoms) {
    if (atom === CALL) return true;
    for (const body of bodies.get(atom) ?? []) {
      const scanner = new SourceScanner(body);
      for (let kind = scanner.next(); kind !== undefined; kind = scanner.next())
        if (kind === 'atom') addAtom(atoms, scanner);
    }
    bodies.delete(atom);
  }
  return false;
}

/**
 * Adds the current atom of the scanner, unless it begins a call of a boot contract. Misses such a call if a comment
 * precedes the contract's name, and then adds the atom.
 */
function addAtom(atoms: Set<string>, scanner: SourceScanner): void {
  const atom = scanner.text;
  const target = atom === CALL ? scanner.following.trimStart() : '';
  if (!BOOT.some((start) => target.startsWith(start))) atoms.add(atom);
}

/** Returns the atoms of top-level code that runs during the deploy, and the bodies of functions by name. */
function splitSource(text: string) {
  const atoms = new Set<string>();
  const bodies = new Map<string, string[]>();
  const scanner = new SourceScanner(text);
  let depth = 0;
  let head: string | undefined;
  for (let kind = scanner.next(); kind !== undefined; kind = scanner.next()) {
    if (kind === '(' || kind === '{') {
      if (depth++ === 0) head = undefined;
    } else if (kind === ')' || kind === '}') depth = Math.max(0, depth - 1);
    else if (kind === 'atom' && depth > 0) {
      const atom = scanner.text;
      const isHead = head === undefined;
      head ??= atom;
      if (!DEFINITIONS.has(head)) addAtom(atoms, scanner);
      else if (!isHead || !FUNCTIONS.has(head)) {
        const start = scanner.end;
        for (; depth > 0; depth--) scanner.skipGroup();
        if (!FUNCTIONS.has(head)) continue;
        const body = text.slice(start, scanner.end);
        const known = bodies.get(atom);
        if (known === undefined) bodies.set(atom, [body]);
        else known.push(body);
      }
    }
  }
  return { atoms, bodies };
}
