// Tests searches in the files of a site: tokens, the contracts of an address, a token's neighbours.
import { describe, expect, test } from 'vitest';
import { findOfAddress, type Progress } from '#explorer/find-in-blocks.ts';
import { callersOf, findTokens, sortTokens, type TokenRow } from '#explorer/find-tokens.ts';
import { findNeighbours, PAGE_SIZE } from '#explorer/neighbours.ts';
import { expectLinear } from '../support/linear-time.ts';

describe('findTokens', () => {
  const rows: readonly TokenRow[] = [
    ['ft', 'SP1.a', 'Pressed', 'PRS'],
    ['ft', 'SP1.b', 'Other', 'PRESS'],
    ['ft', 'SP1.c', 'The press', 'TP'],
    ['nft', 'SP1.press-club'],
    ['ft', 'SP1.d', 'Ｐｒｅｓｓ', 'W'],
  ];
  const names = (text: string) => findTokens(rows, text).map(([, id]) => id);

  test('the symbol first, then the name, its beginning, a part of it, and the principal', () => {
    expect(names('press')).toEqual(['SP1.b', 'SP1.d', 'SP1.a', 'SP1.c', 'SP1.press-club']);
    expect(names(' PRESS ')).toEqual(names('press'));
    expect(names('prs')).toEqual(['SP1.a']);
  });

  test('of equals, those with a name and a picture first, and collections without a name last', () => {
    const equals: readonly TokenRow[] = [
      ['nft', 'SP1.stx'],
      ['ft', 'SP2.stx'],
      ['nft', 'SP3.stx', 'First of them'],
      ['ft', 'SP4.stx', 'Real', 'R', '/images/a.png'],
      ['ft', 'SP5.stx', 'Real', 'R'],
    ];
    const order = ['SP4.stx', 'SP3.stx', 'SP5.stx', 'SP2.stx', 'SP1.stx'];
    expect(findTokens(equals, '.stx').map(([, id]) => id)).toEqual(order);
    expect(sortTokens(equals).map(([, id]) => id)).toEqual(order);
    // How well a row fits counts more.
    expect(findTokens(equals, 'SP1.stx').map(([, id]) => id)).toEqual(['SP1.stx']);
  });

  test('tokens that more addresses call come first, whatever they call themselves', () => {
    const [copy, real]: readonly TokenRow[] = [
      ['ft', 'SP1.coin', 'Coin', 'C', '/images/a.png'],
      ['ft', 'SP2.coin', 'Coin', 'C', '', '1200'],
    ] as const;
    expect(sortTokens([copy, real] as TokenRow[])).toEqual([real, copy]);
    expect(findTokens([copy, real] as TokenRow[], 'c')).toEqual([real, copy]);
    expect([copy, real].map((row) => callersOf(row as TokenRow))).toEqual([0, 1_200]);
  });

  test('nothing is found of nothing', () => {
    expect(names('  ')).toEqual([]);
    expect(names('nowhere')).toEqual([]);
    // A part of an address is not a name.
    expect([names('p1'), names('sp1.a')]).toEqual([[], ['SP1.a']]);
  });

  test('all of a symbol are found, and a whole id before those that begin with it', () => {
    const many = Array.from({ length: 27 }, (_, index): TokenRow => ['ft', `SP1.t-${index}`, '', 'sBTC']);
    expect(findTokens(many, 'sbtc')).toEqual(many);
    expect(findTokens(many.toReversed(), 'SP1.t-2').map(([, id]) => id)[0]).toBe('SP1.t-2');
  });
});

describe('findNeighbours', () => {
  /** Returns the position of a token, and the number of requested pages. */
  const find = async (ids: readonly string[], number: string) => {
    const asked = new Set<number>();
    const found = await findNeighbours(number, async (offset) => {
      asked.add(offset);
      const results = ids.slice(offset, offset + PAGE_SIZE).map((id) => ({ token_id: id }));
      return { total: ids.length, results };
    });
    return [found && [found.position, found.previous, found.next], asked.size];
  };
  const counted = (count: number, step = 1n) =>
    Array.from({ length: count }, (_, index) => String(BigInt(index) * step + 1n));

  test('a collection that counts on needs two pages, or three at the edge of one', async () => {
    const ids = counted(10_000);
    expect(await find(ids, '5000')).toEqual([[4_999, '4999', '5001'], 2]);
    expect(await find(ids, '1')).toEqual([[0, undefined, '2'], 1]);
    expect(await find(ids, '60')).toEqual([[59, '59', '61'], 2]);
    expect(await find(ids, '10000')).toEqual([[9_999, '9999', undefined], 2]);
  });

  test('whatever its numbers, all are found, and no other', async () => {
    const lists = [counted(200, 7n), counted(150, 2n ** 120n), ['5'], counted(61), []];
    for (const ids of lists) {
      for (const [index, id] of ids.entries())
        expect((await find(ids, id))[0]).toEqual([index, ids[index - 1], ids[index + 1]]);
      for (const other of ['0', '3', String(2n ** 128n - 1n)])
        if (!ids.includes(other)) expect((await find(ids, other))[0]).toBeUndefined();
    }
  });
});

test('findOfAddress: all contracts of an address and of no other, in the blocks that may have them, each once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `c-${String(index).padStart(2, '0')}`);
  // Three blocks. The first and the last one also contain other names.
  const rows = [['SPA', 'x', 'y'], ...names.map((name) => ['SPB', name]), ['SPBC', 'z']] as [string, ...string[]][];
  const blocks = Array.from({ length: Math.ceil(rows.length / 3) }, (_, index) => rows.slice(3 * index, 3 * index + 3));
  const addresses = blocks.map((block, index) => [block[0]?.slice(0, 2).join('.') ?? '', String(index)] as const);
  const asked: string[] = [];
  const shown: Progress[] = [];
  const read = (address: string, goOn = true) =>
    findOfAddress(
      { addresses },
      async (id) => {
        asked.push(id);
        return blocks[Number(id)] ?? [];
      },
      address,
      (now) => shown.push(now) > 0 && (goOn || now.read === 0),
    );
  await read('SPB');
  const of = blocks.length;
  expect(shown.at(-1)).toEqual({ found: names.map((name) => `SPB.${name}`), read: of, of });
  expect(shown.map(({ read }) => read)).toEqual(Array.from({ length: of + 1 }, (_, index) => index));
  expect(asked).toEqual(blocks.map((_, index) => String(index)));
  await read('SPB', false);
  expect(asked.length).toBe(blocks.length + 6);
  for (const [address, found] of [
    ['SPA', ['SPA.x', 'SPA.y']],
    ['SPBC', ['SPBC.z']],
    ['SP0', []],
    ['SPZ', []],
  ] as const) {
    await read(address);
    expect(shown.at(-1)).toMatchObject({ found });
    expect(shown.at(-1)?.read).toBe(shown.at(-1)?.of);
  }
});

test('findOfAddress: the time is linear in the number of contracts', () =>
  expectLinear((count) => {
    const addresses = Array.from({ length: count }, (_, index) => ['SPA.', String(index)] as const);
    const readBlock = async (id: string): Promise<[string, ...string[]][]> => [
      ['SPA', ...Array.from({ length: 50 }, (_, index) => `c-${id}-${index}`)],
    ];
    return findOfAddress({ addresses }, readBlock, 'SPA', () => true);
  }, 2_000));
