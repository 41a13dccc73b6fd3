import { expect, test } from 'vitest';
import { isContractId } from '#model/principal.ts';

const ADDRESS = 'SP000000000000000000002Q6VF78';

test.each([
  `${ADDRESS}.a`,
  `${ADDRESS}.pox-4_B2`,
  `${ADDRESS}.a${'-'.repeat(39)}`,
  `${'0'.repeat(28)}.a`,
  `${'Z'.repeat(41)}.a`,
])('%s', (text) => {
  expect(isContractId(text)).toBe(true);
});

test.each([
  ['an empty text', ''],
  ['an address', ADDRESS],
  ['a missing name', `${ADDRESS}.`],
  ['a missing address', '.a'],
  ['an address of 27 characters', `${'0'.repeat(27)}.a`],
  ['an address of 42 characters', `${'0'.repeat(42)}.a`],
  ['a letter that c32 lacks', `${ADDRESS.slice(0, -1)}O.a`],
  ['a lower-case address', `${ADDRESS.toLowerCase()}.a`],
  ['a name of 41 characters', `${ADDRESS}.${'a'.repeat(41)}`],
  ['a name that begins with a digit', `${ADDRESS}.1a`],
  ['a name that begins with a hyphen', `${ADDRESS}.-a`],
  ['a trait', `${ADDRESS}.a.b`],
  ['a slash', `${ADDRESS}.a/b`],
  ['a step up', `${ADDRESS}...`],
  ['a NUL character', `${ADDRESS}.a\0`],
  ['a newline at the end', `${ADDRESS}.a\n`],
  ['a letter that is not ASCII', `${ADDRESS}.å`],
])('rejects %s', (_, text) => {
  expect(isContractId(text)).toBe(false);
});
