// Tells whether places in a source are in comments or strings, asked in the order of the source.

import { endOfString } from './parse-source.ts';

/** The function returned must be asked about places in increasing order: it reads the source once. */
export function outsideCode(source: string): (place: number) => boolean {
  /** What is before it was read; it is in no string and no comment. */
  let end = 0;
  let quote = -1;
  let semicolon = -1;
  return (place) => {
    for (;;) {
      if (quote < end) quote = indexOrEnd(source, '"', end);
      if (semicolon < end) semicolon = indexOrEnd(source, ';', end);
      if (place < Math.min(quote, semicolon)) return false;
      const next = semicolon < quote ? indexOrEnd(source, '\n', semicolon) : endOfString(source, quote);
      if (place < next) return true;
      end = next;
    }
  };
}

function indexOrEnd(source: string, searched: string, from: number): number {
  const index = source.indexOf(searched, from);
  return index === -1 ? source.length : index;
}
