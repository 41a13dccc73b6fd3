import { describe, expect, test } from 'vitest';
import { EpochCalendar, type ObservedEpoch } from '#model/epoch-calendar.ts';

const observed = (interfaceName: string, first: number, last = first, defaultVersion?: number): ObservedEpoch => ({
  interfaceName,
  firstBurnHeight: first,
  lastBurnHeight: last,
  defaultVersion,
});
const mainnet = (...all: ObservedEpoch[]) => new EpochCalendar(1, all);

describe('at', () => {
  test.each([
    [666_050, '2.0', 1],
    [713_000, '2.05', 1],
    [781_551, '2.1', 2],
    [787_651, '2.2', 2],
    [788_240, '2.3', 2],
    [791_551, '2.4', 2],
    [840_360, '2.5', 2],
    [867_867, '3.0', 3],
    [875_000, '3.1', 3],
    [907_740, '3.2', 3],
    [923_222, '3.3', 4],
    [943_333, '3.4', 5],
    [960_230, '4.0', 6],
  ])('burn height %i begins epoch %s of mainnet', (height, name, clarityVersion) => {
    expect(mainnet().at(height)).toMatchObject({ name, clarityVersion });
    expect(mainnet().at(height - 1)?.name).not.toBe(name);
  });

  test('returns no epoch below the first, and the last one far above it', () => {
    expect(mainnet().at(666_049)).toBeUndefined();
    expect(mainnet().at(9_999_999)?.name).toBe('4.0');
    expect(new EpochCalendar(5, []).at(9_999_999)).toBeUndefined();
  });

  test('learns where an unknown epoch begins, and its version', () => {
    const calendar = mainnet(observed('Epoch41', 990_010, 990_500, 7), observed('Epoch40', 960_300, 990_000));
    expect(calendar.at(990_009)).toMatchObject({ name: '4.0', clarityVersion: 6 });
    expect(calendar.at(990_010)).toMatchObject({ name: 'Epoch41', clarityVersion: 7 });
    expect(mainnet(observed('Epoch41', 990_010)).at(990_010)?.clarityVersion).toBeUndefined();
  });

  test('orders minor versions of two digits by their number', () => {
    const calendar = mainnet(observed('Epoch49', 990_010, 990_500), observed('Epoch410', 990_501));
    expect(calendar.at(990_500)?.name).toBe('Epoch49');
    expect(calendar.at(990_501)?.name).toBe('Epoch410');
  });

  test('uses the table where interfaces agree with it', () => {
    const calendar = mainnet(observed('Epoch34', 943_400, 960_200), observed('Epoch40', 960_400));
    expect(calendar.at(960_229)?.name).toBe('3.4');
    expect(calendar.at(960_230)?.name).toBe('4.0');
  });

  test('prefers interfaces to the table', () => {
    expect(mainnet(observed('Epoch40', 960_100)).at(960_100)?.name).toBe('4.0');
    expect(mainnet(observed('Epoch40', 960_100)).at(960_099)?.name).toBe('3.4');
    expect(mainnet(observed('Epoch34', 943_400, 960_300)).at(960_300)?.name).toBe('3.4');
    expect(mainnet(observed('Epoch34', 943_400, 960_300)).at(960_301)?.name).toBe('4.0');
  });

  test('knows only the observed epochs of another chain', () => {
    const calendar = new EpochCalendar(0x80000000, [observed('Epoch33', 100, 150), observed('Epoch2_05', 10)]);
    expect([9, 10, 99, 100, 9_999_999].map((height) => calendar.at(height)?.name)).toEqual([
      undefined,
      '2.05',
      '2.05',
      '3.3',
      '3.3',
    ]);
  });
});

test.each([
  ['a fact', { clarityVersion: 2, epoch: '3.0', burnHeight: 960_230 }, { clarityVersion: 2, epoch: '3.0' }],
  ['a burn height', { burnHeight: 960_230 }, { clarityVersion: 6, epoch: '4.0' }],
  ['an epoch', { epoch: '3.3', burnHeight: 960_230 }, { clarityVersion: 4, epoch: '3.3' }],
  ['a version', { clarityVersion: 1, burnHeight: 960_230 }, { clarityVersion: 1, epoch: '4.0' }],
  ['a version newer than the height', { clarityVersion: 6, burnHeight: 950_000 }, { clarityVersion: 6, epoch: '4.0' }],
  ['an unknown version', { clarityVersion: 9, burnHeight: 950_000 }, { clarityVersion: 9, epoch: '3.4' }],
  ['an unknown epoch', { epoch: 'Epoch99', burnHeight: 950_000 }, { clarityVersion: undefined, epoch: 'Epoch99' }],
  ['no facts', {}, { clarityVersion: undefined, epoch: undefined }],
])('derives the rules of a deploy from %s', (_, facts, rules) => {
  const nothing = { clarityVersion: undefined, epoch: undefined, burnHeight: undefined };
  expect(mainnet().rulesOf({ ...nothing, ...facts })).toEqual(rules);
});
