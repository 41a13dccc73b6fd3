// Tests computations of pages: tiles, filtered contracts, and the missing parts of a token.
import { describe, expect, test } from 'vitest';
import { filterRows } from '#explorer/filter-rows.ts';
import { documentProblems, isOfOwner, missingOf, OF_THE_SITE } from '#explorer/missing.ts';
import type { TokenStatus } from '#explorer/responses.ts';
import { tileOf } from '#explorer/tile.ts';
import { FAILURE_SENTENCES } from '#model/failure.ts';

const ID = 'SP000000000000000000002Q6VF78.some-token';

describe('tileOf', () => {
  test('an id always has the same tile', () => {
    expect(tileOf(ID)).toEqual({
      background: 'hsl(202 40% 89%)',
      cells: [
        { fill: 'hsl(166 58% 62%)', shape: 'M8 8h-8a8 8 0 0 1 8-8z' },
        { fill: 'hsl(202 46% 72%)', shape: 'M4 1a3 3 0 0 1 0 6a3 3 0 0 1 0-6z' },
        { fill: 'hsl(202 48% 40%)', shape: 'M0 0h8v8z' },
        { fill: 'hsl(202 46% 72%)', shape: 'M8 0v8a8 8 0 0 1-8-8z' },
      ],
    });
  });

  test('a tile has one dark cell at least, and tones and shapes of its set', () => {
    for (let index = 0; index < 500; index++) {
      const { background, cells } = tileOf(`${ID}-${index}`);
      const [, hue] = /^hsl\((\d+) 40% 89%\)$/.exec(background) ?? [];
      expect(hue).toBeDefined();
      expect(cells.length).toBe(4);
      expect(cells.map(({ fill }) => fill)).toContain(`hsl(${hue} 48% 40%)`);
      for (const { fill, shape } of cells) {
        expect(fill).toMatch(/^hsl\(\d+ \d+% \d+%\)$/);
        expect(shape).toMatch(/^M[\dahvz M-]+z$/);
      }
    }
  });

  test('ids that look alike have different tiles', () => {
    const ids = Array.from({ length: 200 }, (_, index) => `SP${index}.sbtc-token`);
    const tiles = new Set([ID, ID.replace('some', 'sorne'), `${ID}1`, ...ids].map((id) => JSON.stringify(tileOf(id))));
    expect(tiles.size).toBe(ids.length + 3);
  });
});

test('filters contracts by a part of an id or of a function', () => {
  const rows = [
    ['SPA.one', 'mint'],
    ['SPB.one', 'mint', 'burn'],
    ['SPB.two', 'burn', 'burn'],
  ];
  const idsOf = (text: string) => filterRows(rows, text).map(([id]) => id);
  expect(idsOf('')).toEqual(rows.map(([id]) => id));
  expect(idsOf(' TWO ')).toEqual(['SPB.two']);
  expect(idsOf('spb.')).toEqual(['SPB.one', 'SPB.two']);
  expect(idsOf('bur')).toEqual(['SPB.one', 'SPB.two']);
  expect(idsOf('nothing')).toEqual([]);
});

describe('what a token lacks', () => {
  const uri = 'https://tokens.example/a.json';
  const value = { read_from: 'clarity-vm', height: 7 } as const;
  const status = (more: object): TokenStatus =>
    ({
      state: 'complete',
      values: { name: value, symbol: value, decimals: value, total_supply: value, token_uri: value },
      ...more,
    }) as unknown as TokenStatus;
  const failedDocument = (code: string, more: object = {}) => ({
    state: 'failed',
    will_be_tried_again: true,
    failure: { code, message: `Message of ${code}.` },
    ...more,
  });
  const titlesOf = (more: object, hasPicture = false) =>
    missingOf(status(more), { uri, hasPicture }).map(({ title }) => title);

  test('a complete token lacks nothing', () => {
    expect(titlesOf({ document: { state: 'read', image: { copied: true } } }, true)).toEqual([]);
    expect(titlesOf({})).toEqual([]);
  });

  test('names the failure and what comes next, and what follows from it', () => {
    expect(missingOf(status({ document: failedDocument('http-404') }), { uri, hasPicture: false })).toEqual([
      {
        title: 'The document could not be fetched',
        text: 'Message of http-404. It will be tried again with the next update.',
        uri,
        code: 'http-404',
      },
      { title: 'No picture without the document', text: expect.stringContaining('drawn from the contract id') },
    ]);
    const text = (document: object) => documentProblems(document as never, { uri, hasPicture: true })[0]?.text;
    expect(text(failedDocument('not-json', { will_be_tried_again: false }))).toBe('Message of not-json.');
  });

  test('a document that waits, a picture that fails, and a value that fails', () => {
    expect(titlesOf({ document: { state: 'pending', will_be_tried_again: true } })).toEqual([
      'The document has not been fetched yet',
    ]);
    const image = { copied: false, failure: { code: 'too-large', message: 'Too large.' } };
    expect(titlesOf({ document: { state: 'read', image } })).toEqual(['The picture could not be copied']);
    const failing = (key: string, code: string, from?: string) =>
      titlesOf({ values: { [key]: { read_from: from, failure: { code, message: 'Why.' } } } });
    expect(failing('total_supply', 'supply-incomplete', 'events')).toEqual(['The supply may be too low']);
    expect(failing('total_supply', 'supply-of-deploy', 'events')).toEqual(['The supply may be out of date']);
    expect(failing('decimals', 'x', 'node')).toEqual(['The number of decimals may be out of date']);
    expect(failing('symbol', 'x')).toEqual(['The symbol is missing']);
  });

  test('a token without any value has the reason of the token', () => {
    const failure = { code: 'no-values', message: 'No value could be read.' };
    expect(missingOf(status({ state: 'error', values: {}, failure }), { uri: undefined, hasPicture: false })).toEqual([
      { title: 'This token could not be read', text: failure.message, code: failure.code },
    ]);
  });

  test('a token that names no document lacks nothing', () => {
    for (const code of ['no-uri', 'empty-uri']) expect(titlesOf({ document: failedDocument(code) })).toEqual([]);
  });

  test('values with the same reason are one entry', () => {
    const failing = (getter: string, code = 'getter-error') => ({
      failure: { code, message: `get-${getter} returned (err u404).` },
    });
    const values = { name: failing('name'), symbol: failing('symbol'), decimals: failing('decimals', 'vm-timeout') };
    expect(missingOf(status({ values }), { uri, hasPicture: false })).toEqual([
      { title: 'The name and symbol are missing', text: 'Each of them returned (err u404).', code: 'getter-error' },
      { title: 'The number of decimals is missing', text: 'get-decimals returned (err u404).', code: 'vm-timeout' },
    ]);
  });

  test('only what an owner can change is of the owner', () => {
    expect([...OF_THE_SITE].filter((code) => !(code in FAILURE_SENTENCES))).toEqual([]);
    const [offline] = missingOf(status({ document: failedDocument('offline') }), { uri, hasPicture: true });
    expect(offline).toMatchObject({
      title: 'The document is not on this site',
      text: expect.stringContaining('has not fetched it'),
    });
    const isOwners = (code: string) => isOfOwner({ title: '', text: '', code });
    expect(['offline', 'vm-crash', 'bug', 'http-404', 'getter-error', 'not-json'].filter(isOwners)).toEqual([
      'http-404',
      'getter-error',
      'not-json',
    ]);
  });
});
