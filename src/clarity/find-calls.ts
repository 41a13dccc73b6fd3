// Finds the calls that a source may make from its text alone: takes UTF-8, returns keys of functions and contracts. May
// find too much. Reads 300 MB/s; parsing reads 60 MB/s.
import type { CodeReferences } from '#model/chain-event.ts';
import { functionKey, mentionKey, traitFunctionKey } from './name-key.ts';

const CALL = 'contract-call?';
/** Matches the next two words: contract and function. */
const CALLED = /(?:\s|;[^\n]*)+([^\s();]+)(?:\s|;[^\n]*)+([^\s();]+)/y;
/** Matches `'SP….name` or `.name`. */
const LITERAL = /(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*)/y;
const QUOTE = 0x27;
const ADDRESS_CHARACTER = /[0-9A-Z]/;
const NONE = new Float64Array();

export function findCalls(source: Uint8Array, deployerAddress: string): CodeReferences {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (!bytes.includes(CALL)) return { calls: NONE, mentions: NONE };
  const text = bytes.toString('latin1');
  const contractAt = (start: number): string | undefined => {
    LITERAL.lastIndex = start;
    const match = LITERAL.exec(text);
    return match === null ? undefined : `${match[1] ?? deployerAddress}.${match[2]}`;
  };
  const calls = new Set<number>();
  for (let at = text.indexOf(CALL); at !== -1; at = text.indexOf(CALL, at + 1)) {
    CALLED.lastIndex = at + CALL.length;
    const match = CALLED.exec(text);
    if (match === null) continue;
    const [whole, target = '', functionName = ''] = match;
    const contractId = contractAt(at + CALL.length + whole.indexOf(target));
    calls.add(contractId === undefined ? traitFunctionKey(functionName) : functionKey(contractId, functionName));
  }
  const named = new Set<string>();
  for (let at = text.indexOf('.'); at !== -1; at = text.indexOf('.', at + 1)) {
    const contractId = contractAt(startOfLiteral(text, at));
    if (contractId !== undefined) named.add(contractId);
  }
  return { calls: Float64Array.from(calls), mentions: Float64Array.from([...named].map(mentionKey)) };
}

/** Start of the literal that contains this dot. */
function startOfLiteral(text: string, dot: number): number {
  let start = dot;
  while (start > 0 && ADDRESS_CHARACTER.test(text[start - 1] as string)) start--;
  return text.charCodeAt(start - 1) === QUOTE ? start - 1 : dot;
}
