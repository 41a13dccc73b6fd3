import { describe, expect, test } from 'vitest';
import { EPOCHS, epochOfInterface } from '#model/chain.ts';

describe('epochOfInterface', () => {
  test('default', () => {
    expect(epochOfInterface('Epoch2_05')?.name).toBe('2.05');
    for (const epoch of EPOCHS) expect(epochOfInterface(epoch.interfaceName)).toBe(epoch);
  });

  test('returns undefined for a missing or unknown name', () => {
    expect(epochOfInterface(undefined)).toBeUndefined();
    expect(epochOfInterface('Epoch99')).toBeUndefined();
  });
});
