import { describe, expect, test } from 'vitest';
import { EPOCHS, MAINNET_CHAIN_ID } from '#model/chain.ts';
import { epochAt, rulesOf } from '#model/epoch-calendar.ts';

const mainnetAt = (burnHeight: number) => epochAt(MAINNET_CHAIN_ID, burnHeight);

describe('epochAt', () => {
  test.each(EPOCHS)('finds epoch $name of mainnet from burn height $mainnetBurnHeight on', (epoch) => {
    expect(mainnetAt(epoch.mainnetBurnHeight)).toBe(epoch);
    expect(mainnetAt(epoch.mainnetBurnHeight - 1)).not.toBe(epoch);
  });

  test('returns no epoch below the first, and the last one far above it', () => {
    expect(mainnetAt(666_049)).toBeUndefined();
    expect(mainnetAt(9_999_999)?.name).toBe('4.0');
  });

  test.each([undefined, 0x80000000, 5])('returns no epoch of chain %s', (chainId) => {
    expect(epochAt(chainId, 960_230)).toBeUndefined();
  });
});

test.each([
  ['facts', { clarityVersion: 2, epoch: '3.0', burnHeight: 960_230 }, { clarityVersion: 2, epoch: '3.0' }],
  ['a burn height', { burnHeight: 960_230 }, { clarityVersion: 6, epoch: '4.0' }],
  ['an epoch', { epoch: '3.3', burnHeight: 960_230 }, { clarityVersion: 4, epoch: '3.3' }],
  ['a version', { clarityVersion: 1, burnHeight: 960_230 }, { clarityVersion: 1, epoch: '4.0' }],
  ['an unknown version', { clarityVersion: 9, burnHeight: 950_000 }, { clarityVersion: 9, epoch: '3.4' }],
  ['an unknown epoch', { epoch: 'Epoch99', burnHeight: 950_000 }, { clarityVersion: undefined, epoch: 'Epoch99' }],
  ['no facts', {}, { clarityVersion: undefined, epoch: undefined }],
])('derives the rules of a deploy from %s', (_, facts, rules) => {
  const nothing = { clarityVersion: undefined, epoch: undefined, burnHeight: undefined };
  expect(rulesOf(MAINNET_CHAIN_ID, { ...nothing, ...facts })).toEqual(rules);
});

test('derives the version of a deploy on another chain from its epoch, but no epoch from the burn height', () => {
  const facts = { clarityVersion: undefined, burnHeight: 960_230 };
  expect(rulesOf(5, { ...facts, epoch: '3.3' })).toEqual({ clarityVersion: 4, epoch: '3.3' });
  expect(rulesOf(5, { ...facts, epoch: undefined })).toEqual({ clarityVersion: undefined, epoch: undefined });
});
