// Finds what stands behind a word in a source, without parsing it, but not in comments and strings.

import { endOfString } from './parse-source.ts';

/** What a sticky pattern matches behind each occurrence of the word, in the order of the source. */
export function matchesBehind(word: string, source: string, pattern: RegExp): RegExpExecArray[] {
  const isOutsideCode = outsideCode(source);
  const matches: RegExpExecArray[] = [];
  for (let at = source.indexOf(word); at !== -1; at = source.indexOf(word, at + 1)) {
    pattern.lastIndex = at + word.length;
    const match = pattern.exec(source);
    if (match !== null && !isOutsideCode(at)) matches.push(match);
  }
  return matches;
}

/** The function returned must be called with increasing offsets: it reads the source once. */
function outsideCode(source: string): (offset: number) => boolean {
  /** What is before it was read; it is in no string and no comment. */
  let end = 0;
  let quote = -1;
  let semicolon = -1;
  return (offset) => {
    for (;;) {
      if (quote < end) quote = indexOrEnd(source, '"', end);
      if (semicolon < end) semicolon = indexOrEnd(source, ';', end);
      if (offset < Math.min(quote, semicolon)) return false;
      const next = semicolon < quote ? indexOrEnd(source, '\n', semicolon) : endOfString(source, quote);
      if (offset < next) return true;
      end = next;
    }
  };
}

function indexOrEnd(source: string, searched: string, from: number): number {
  const index = source.indexOf(searched, from);
  return index === -1 ? source.length : index;
}
