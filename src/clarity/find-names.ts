// Finds the functions and traits that a source in UTF-8 names, and the functions that it defines. Scans the text
// without parsing it, so it may find too many names.
import { hash } from 'node:crypto';
import type { CodeReferences } from '#model/chain-event.ts';
import { callsAtDeploy } from './calls-at-deploy.ts';
import { SourceScanner } from './source-scanner.ts';

/**
 * The maximum number of functions and traits that a source names in the call graph: four times the largest number on
 * mainnet. Each one may change another file of a build.
 */
export const MAX_NAMES = 1_000;
/** The maximum number of its functions that can be searched: four times the largest number on mainnet. */
const MAX_FUNCTIONS = 2_000;
const CALL = 'contract-call?';
/** Matches the contracts `'SP….name` and `.name`, but not a trait such as `.traits.ft`. */
const CONTRACT = /^(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*)$/;
/** Matches the traits `'SP….contract.trait` and `.contract.trait`. */
const TRAIT = /^(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*)\.([a-zA-Z][a-zA-Z0-9_-]*)$/;
const DEFINITIONS: ReadonlySet<string> = new Set(['define-public', 'define-read-only']);
const NAME = /^[a-zA-Z][a-zA-Z0-9_!?+<>=/*-]*$/;

export function findNames(source: Uint8Array, deployerAddress: string): CodeReferences {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const text = bytes.toString('latin1');
  const calls = findCalls(text, deployerAddress);
  const functions = [...findDefined(text)].sort().slice(0, MAX_FUNCTIONS).join(' ');
  return {
    names: [...new Set([...findTraits(text, deployerAddress), ...calls])].slice(0, MAX_NAMES),
    callsAtDeploy: calls.length > 0 && callsAtDeploy(text),
    functions,
    functionsHash: `0x${hash('sha256', functions, 'hex')}`,
    sourceHash: `0x${hash('sha256', bytes, 'hex')}`,
  };
}

function findCalls(text: string, deployerAddress: string): string[] {
  const scanner = new SourceScanner(text);
  const calls: string[] = [];
  while (scanner.nextAtomWith(CALL)) {
    if (scanner.text !== CALL || scanner.next() !== 'atom') continue;
    const match = CONTRACT.exec(scanner.text);
    // Without a match, the contract is a trait that was passed as an argument.
    const contractId = match === null ? '*' : `${match[1] ?? deployerAddress}.${match[2]}`;
    if (scanner.next() === 'atom') calls.push(`${CALL} ${contractId} ${scanner.text}`);
  }
  return calls;
}

function findTraits(text: string, deployerAddress: string): string[] {
  const scanner = new SourceScanner(text);
  const traits: string[] = [];
  while (scanner.nextAtomWith('-trait')) {
    const form = scanner.text;
    if (form !== 'impl-trait' && form !== 'use-trait') continue;
    if (form === 'use-trait') scanner.next(); // skips the alias
    const match = scanner.next() === 'atom' ? TRAIT.exec(scanner.text) : null;
    if (match !== null) traits.push(`${form} ${match[1] ?? deployerAddress}.${match[2]} ${match[3]}`);
  }
  return traits;
}

function findDefined(text: string): Set<string> {
  const scanner = new SourceScanner(text);
  const names = new Set<string>();
  while (scanner.nextAtomWith('define-')) {
    if (DEFINITIONS.has(scanner.text) && scanner.next() === '(' && scanner.next() === 'atom' && NAME.test(scanner.text))
      names.add(scanner.text);
  }
  return names;
}
