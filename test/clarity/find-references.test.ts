import { expect, test } from 'vitest';
import { findReferences } from '#clarity/find-references.ts';
import { parseSource } from '#clarity/parse-source.ts';

const DEPLOYER = 'SP000000000000000000002Q6VF78';
const OTHER = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE';

const find = (source: string) => findReferences(parseSource(source), DEPLOYER);

test('default', () => {
  const source = `(impl-trait '${OTHER}.sip-010-trait.sip-010-trait)
      (contract-call? .vault get {of: '${OTHER}.token})`;
  expect(find(source)).toEqual([`${OTHER}.sip-010-trait`, `${DEPLOYER}.vault`, `${OTHER}.token`]);
});

test.each([
  ['a contract named twice', '(a .x) (b .x)', [`${DEPLOYER}.x`]],
  ['a trait of a contract of the same deployer', '(use-trait t .traits.ft)', [`${DEPLOYER}.traits`]],
  ['a literal right before a closing bracket', `(a '${OTHER}.x)`, [`${OTHER}.x`]],
  ['a literal after a colon without a space', '{a:.x}', [`${DEPLOYER}.x`]],
  ['a test address', "'ST000000000000000000002AMW42H.x", ['ST000000000000000000002AMW42H.x']],
  ['a comment', ';; .x', []],
  ['a string', '(print ".x")', []],
  ['a standard principal', `'${OTHER}`, []],
  ['an address without its quote', `${OTHER}.x`, []],
  ['a lone dot', '. .. ...', []],
  ['a name that begins with a digit', '.1x', []],
  ['a name of 41 letters', `.${'x'.repeat(41)}`, []],
  ['a path', ".../../x './x '../../x.y", []],
  ['an address that is too short', "'SP1.x", []],
  ['an empty source', '', []],
])('%s', (_, source, expected) => {
  expect(find(source)).toEqual(expected);
});

test('reads the longest source that fits into a block', () => {
  const source = `(list ${'u1 '.repeat(600_000)} .x)`;
  expect(find(source)).toEqual([`${DEPLOYER}.x`]);
});
