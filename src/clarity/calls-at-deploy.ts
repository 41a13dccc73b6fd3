// Tells from the text of a source whether its deploy may call other contracts; may say yes too often. Parsing takes
// four times as long: of 7,845 contracts of mainnet that are asked about, 2,848 are left to parse.

import { DEFINITIONS } from './contract-scope.ts';
import { endOfString } from './parse-source.ts';

const [OPENS, CLOSES, QUOTE, SEMICOLON] = [0x28, 0x29, 0x22, 0x3b];
const DEFINITION = new RegExp(`^\\(\\s*(?:${[...DEFINITIONS].join('|')})\\s`);
const FUNCTION = /define-(?:public|private|read-only)(?:[\s(]|;[^\n]*)+([^\s()";]+)/g;
const WORD = /[^\s()"{},:;]+/g;

export function callsAtDeploy(text: string): boolean {
  let callers: Set<string> | undefined;
  for (const form of formsOf(text)) {
    if (DEFINITION.test(form)) continue;
    callers ??= new Set(['contract-call?', ...text.matchAll(FUNCTION).map((match) => match[1] as string)]);
    for (const [word] of form.matchAll(WORD)) if (callers.has(word)) return true;
  }
  return false;
}

/** The forms at the top level. */
function* formsOf(text: string): Generator<string> {
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OPENS) {
      if (depth++ === 0) start = at;
    } else if (code === CLOSES) {
      if (--depth === 0) yield text.slice(start, at + 1);
    } else if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === SEMICOLON) {
      const end = text.indexOf('\n', at);
      if (end === -1) return;
      at = end;
    }
  }
}
