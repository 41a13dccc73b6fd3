// Tests the addresses and address ranges of --allow-from.
import { expect, test } from 'vitest';
import { isAllowed, readAllowed } from '#follow/who-may-post.ts';

test.each([
  ['10.9.0.0/16', ['10.9.255.255'], ['10.10.0.0']],
  ['10.9.0.7', ['10.9.0.7'], ['10.9.0.8']],
  ['0.0.0.0/0', ['1.2.3.4'], ['2001:db8::1']],
  ['fd00:1::/32', ['fd00:1::7'], ['fd00:2::7', '10.9.0.7']],
  ['fd00:1::7', ['fd00:1::7'], ['fd00:1::8']],
  ['fe80::/64', ['fe80::7%eth0'], ['fe81::7%eth0']],
])('allows %s', (range, inside, outside) => {
  const allowed = readAllowed([range]);
  expect(inside.filter((address) => !isAllowed(allowed, address))).toEqual([]);
  expect(outside.filter((address) => isAllowed(allowed, address))).toEqual([]);
  expect(isAllowed(allowed, '::ffff:127.0.0.1')).toBe(true);
  // The address is undefined if the connection was closed.
  expect(isAllowed(allowed, undefined)).toBe(false);
});

test.each([
  '10.9.0.0/',
  '10.9.0.0/33',
  '10.9.0.0/-1',
  '10.9.0.0/ 8',
  '10.9.0.0/8 ',
  '10.9.0.0/08',
  '10.9.0.0/8/8',
  '10.9.0.0/255.255.0.0',
  '10.9/16',
  '010.9.0.0/16',
  '10.9.0.1/16',
  '10.9.0.1/0',
  'fd00::/129',
  'fd00::/',
  'fd00::1/64',
  'fe80::1%eth0/64',
  '::1::/64',
  '/8',
  '',
  'localhost',
])('%s', (range) => {
  expect(() => readAllowed([range])).toThrow(
    expect.objectContaining({
      failure: expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining(`--allow-from is ${JSON.stringify(range)}`),
      }),
    }),
  );
});

test('names the first address of a range that begins with another one', () => {
  expect(() => readAllowed(['10.9.0.1/16'])).toThrow('10.9.0.0/16, or the single address 10.9.0.1');
  expect(() => readAllowed(['fd00::1/64'])).toThrow('fd00::/64, or the single address fd00::1');
});
