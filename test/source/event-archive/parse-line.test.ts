import { describe, expect, test } from 'vitest';
import { packCode } from '#model/packed-code.ts';
import { eventReader } from '#source/event-archive/event-reader.ts';
import { parseLine as parse, unescapeCopy } from '#source/event-archive/parse-line.ts';
import { MalformedError } from '#source/observer/malformed-error.ts';
import { blockJson, blockLine, deployJson, line } from '../../support/transactions.ts';

const bytes = (text: string) => Buffer.from(text.replace(/\n$/, ''));

const parseLine = (line: Buffer, form: 'copy' | 'raw') => parse(line, form, eventReader());

describe('parseLine', () => {
  test('default', () => {
    const block = { id: 1, parent: 0, height: 1, transactions: [deployJson('a', '(print "\\\\n")')] };
    const copy = parseLine(bytes(blockLine(block, 'copy')), 'copy');
    expect(copy).toMatchObject([
      { kind: 'block', height: 1, chainId: 1, deploys: [{ code: packCode('(print "\\\\n")', undefined) }] },
    ]);
    expect(parseLine(bytes(blockLine(block, 'raw')), 'raw')).toEqual(copy);
  });

  test('does not parse the JSON of another path', () => {
    expect(parseLine(bytes('7\t2024-01-01\t/new_burn_block\t\\N'), 'copy')).toBeUndefined();
  });

  const blockWith = (more: object) => line('/new_block', { ...blockJson({ id: 1, parent: 0, height: 1 }), ...more });
  test.each([
    ['an empty line', ''],
    ['two columns', '1\t2024-01-01 00:00:00'],
    ['three columns', '1\t2024-01-01 00:00:00\t/new_block'],
    ['empty JSON', '1\t2024-01-01 00:00:00\t/new_block\t'],
    ['an SQL null', '1\t2024-01-01 00:00:00\t/new_block\t\\N'],
    ['a block without its hash', blockWith({ index_block_hash: null })],
    ['a block without a height', blockWith({ block_height: '1' })],
    ['a negative height', blockWith({ block_height: -1 })],
    ['a transaction that is null', blockWith({ transactions: [null] })],
    ['a transaction without bytes', blockWith({ transactions: [{}] })],
  ])('throws MalformedError for %s', (_, text) => {
    expect(() => parseLine(bytes(text), 'copy')).toThrow(MalformedError);
  });
});

describe('unescapeCopy', () => {
  test.each([
    ['', ''],
    ['plain', 'plain'],
    ['\\\\', '\\'],
    ['\\\\n', '\\n'],
    ['\\\\\\\\n', '\\\\n'],
    ['a\\tb\\nc\\rd\\be\\ff\\vg', 'a\tb\nc\rd\be\ff\vg'],
    ['\\"\\x', '"x'],
    ['half\\', 'half\\'],
    ['€\\\\😀', '€\\😀'],
  ])('%j is %j', (escaped, text) => {
    expect(unescapeCopy(Buffer.from(escaped)).toString()).toBe(text);
  });

  test('does not change its argument', () => {
    const escaped = Buffer.from('a\\\\b');
    unescapeCopy(escaped);
    expect(escaped.toString()).toBe('a\\\\b');
  });
});
