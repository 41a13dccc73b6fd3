import { describe, expect, test } from 'vitest';
import { EPOCHS, epochOfInterface, mainnetEpochAt } from '#model/chain.ts';

describe('mainnetEpochAt', () => {
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
  ])('default: burn height %i begins epoch %s', (height, name, clarityVersion) => {
    expect(mainnetEpochAt(height)).toMatchObject({ name, clarityVersion });
    expect(mainnetEpochAt(height - 1)?.name).not.toBe(name);
  });

  test('behavior: no epoch below the first, the last known one far above it', () => {
    expect(mainnetEpochAt(666_049)).toBeUndefined();
    expect(mainnetEpochAt(0)).toBeUndefined();
    expect(mainnetEpochAt(9_999_999)?.name).toBe('3.4');
  });
});

describe('epochOfInterface', () => {
  test('default', () => {
    expect(epochOfInterface('Epoch2_05')?.name).toBe('2.05');
    for (const epoch of EPOCHS) expect(epochOfInterface(epoch.interfaceName)).toBe(epoch);
  });

  test('behavior: none, and one that is not known', () => {
    expect(epochOfInterface(undefined)).toBeUndefined();
    expect(epochOfInterface('Epoch99')).toBeUndefined();
  });
});
