import { expect, test } from 'vitest';
import { SourceScanner } from '#clarity/source-scanner.ts';

test('skips comments, and reads strings and brackets', () => {
  const scanner = new SourceScanner(`(a ;; (b "c\n {k:u"d \\" )",'S.e}) ; end`);
  const tokens: string[] = [];
  for (let kind = scanner.next(); kind !== undefined; kind = scanner.next()) tokens.push(`${kind} ${scanner.text}`);
  expect(tokens).toEqual(['( (', 'atom a', '{ {', 'atom k', String.raw`string u"d \" )"`, "atom 'S.e", '} }', ') )']);
});
