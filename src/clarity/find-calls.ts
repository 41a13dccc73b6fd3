// Finds the calls that a source may make and the functions that it defines, from its text alone: takes UTF-8, returns
// names and keys of functions and contracts. May find too much.
import { hash } from 'node:crypto';
import type { CodeReferences } from '#model/chain-event.ts';
import { matchesBehind } from './matches-behind.ts';
import { calledName, keyOf, mentionKey, traitName } from './name-key.ts';

const CALL = 'contract-call?';
/** Matches the next two words: contract and function. */
const CALLED = /(?:\s|;[^\n]*)+([^\s();]+)(?:\s|;[^\n]*)+([^\s();]+)/y;
/** Matches `'SP….name` or `.name`. */
const LITERAL = /(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*)/y;
/** Comes before the dot of a trait: `.traits.ft`, which is no contract. */
const NAME_CHARACTER = /[a-zA-Z0-9_-]/;
const DEFINE = 'define-';
const DEFINED = /(?:public|read-only)[\s(]+([a-zA-Z][a-zA-Z0-9_!?+<>=/*-]*)/y;
const QUOTE = 0x27;
const NINE = 0x39;
const SPACE = 0x20;

export function findCalls(source: Uint8Array, deployerAddress: string): CodeReferences {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const text = bytes.toString('latin1');
  const names = findCalledNames(text, deployerAddress);
  const defined = new Set(matchesBehind(DEFINE, text, DEFINED).map(([, name]) => name));
  const functions = [...defined].sort().join(' ');
  return {
    names,
    calls: Float64Array.from(names, keyOf),
    mentions: Float64Array.from(names.length === 0 ? [] : findMentions(text, deployerAddress), mentionKey),
    functions,
    functionsHash: `0x${hash('sha256', functions, 'hex')}`,
    sourceHash: `0x${hash('sha256', bytes, 'hex')}`,
  };
}

/** Called functions alone, each once: `SP….name function`, or `* function` on a trait. */
export function findCalledNames(text: string, deployerAddress: string): string[] {
  const names = new Set<string>();
  for (const { 0: whole, 1: target = '', 2: functionName = '', index } of matchesBehind(CALL, text, CALLED)) {
    const contractId = contractAt(text, index + whole.indexOf(target), deployerAddress);
    names.add(contractId === undefined ? traitName(functionName) : calledName(contractId, functionName));
  }
  return [...names];
}

/** Contracts that a call may pass on; traits are left out, and most contracts that are called right there. */
function findMentions(text: string, deployerAddress: string): Set<string> {
  const ids = new Set<string>();
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) {
    const start = startOfLiteral(text, at);
    if (isCalled(text, start) || (start === at && NAME_CHARACTER.test(text.charAt(at - 1)))) continue;
    const contractId = contractAt(text, start, deployerAddress);
    if (contractId === undefined || text[LITERAL.lastIndex] === '.') continue;
    ids.add(contractId);
  }
  return ids;
}

/** True behind `(contract-call?` on one line: another line may follow a comment that ends like that. */
function isCalled(text: string, literal: number): boolean {
  let end = literal;
  while (text.charCodeAt(end - 1) === SPACE) end--;
  return end < literal && text.endsWith(`(${CALL}`, end);
}

function contractAt(text: string, start: number, deployerAddress: string): string | undefined {
  LITERAL.lastIndex = start;
  const match = LITERAL.exec(text);
  return match === null ? undefined : `${match[1] ?? deployerAddress}.${match[2]}`;
}

/** Start of the literal that contains this dot. */
function startOfLiteral(text: string, dot: number): number {
  let start = dot;
  while (start > 0 && isAddressCharacter(text.charCodeAt(start - 1))) start--;
  return text.charCodeAt(start - 1) === QUOTE ? start - 1 : dot;
}

function isAddressCharacter(code: number): boolean {
  return code <= NINE ? code >= 0x30 : code >= 0x41 && code <= 0x5a;
}
