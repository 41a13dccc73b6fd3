// Finds the calls that a source may make and the functions that it defines, from its text alone: takes UTF-8, returns
// names and keys of functions and contracts. May find too much.
import { hash } from 'node:crypto';
import type { CodeReferences } from '#model/chain-event.ts';
import { callsAtDeploy } from './calls-at-deploy.ts';
import { calledName, keyOf, traitName } from './name-key.ts';
import { SourceScanner } from './source-scanner.ts';

const CALL = 'contract-call?';
/** Matches `'SP….name` and `.name`; `.traits.ft` is a trait and does not match. */
const LITERAL = /^(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*)$/;
const DEFINITIONS: ReadonlySet<string> = new Set(['define-public', 'define-read-only']);
const NAME = /^[a-zA-Z][a-zA-Z0-9_!?+<>=/*-]*$/;

export function findCalls(source: Uint8Array, deployerAddress: string): CodeReferences {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const text = bytes.toString('latin1');
  const names = findCalledNames(text, deployerAddress);
  const functions = [...findDefined(text)].sort().join(' ');
  return {
    names,
    calls: Float64Array.from(names, keyOf),
    callsAtDeploy: names.length > 0 && callsAtDeploy(text),
    functions,
    functionsHash: `0x${hash('sha256', functions, 'hex')}`,
    sourceHash: `0x${hash('sha256', bytes, 'hex')}`,
  };
}

/** Returns each called function once: `SP….name function`, or `* function` on a trait. */
export function findCalledNames(text: string, deployerAddress: string): string[] {
  return namesOf(findCalled(text), deployerAddress);
}

interface FoundCall {
  /** `.name`, or the name of a variable. */
  readonly target: string;
  readonly functionName: string;
}

function findCalled(text: string): FoundCall[] {
  const scanner = new SourceScanner(text);
  const calls: FoundCall[] = [];
  while (scanner.nextAtomWith(CALL)) {
    if (scanner.text !== CALL || scanner.next() !== 'atom') continue;
    const { text: target } = scanner;
    if (scanner.next() === 'atom') calls.push({ target, functionName: scanner.text });
  }
  return calls;
}

function namesOf(calls: readonly FoundCall[], deployerAddress: string): string[] {
  const names = calls.map(({ target, functionName }) => {
    const contractId = contractOf(target, deployerAddress);
    return contractId === undefined ? traitName(functionName) : calledName(contractId, functionName);
  });
  return [...new Set(names)];
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

function contractOf(atom: string, deployerAddress: string): string | undefined {
  const match = LITERAL.exec(atom);
  return match === null ? undefined : `${match[1] ?? deployerAddress}.${match[2]}`;
}
