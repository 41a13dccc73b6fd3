import { describe, expect, test } from 'vitest';
import { isOwnHost } from '#net/address-guard.ts';

describe('isOwnHost', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:127.0.0.1]',
  ])('default: the address %s is', async (host) => {
    expect(await isOwnHost(host)).toBe(true);
  });

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '[2606:4700:4700::1111]'])(
    'default: the address %s is not',
    async (host) => {
      expect(await isOwnHost(host)).toBe(false);
    },
  );

  // None of these has a name service to ask.
  test.each(['localhost', 'LOCALHOST', 'localhost.', 'node.localhost', 'node.local', 'node.internal', 'nas.home.arpa'])(
    'behavior: the local name %s is',
    async (host) => {
      expect(await isOwnHost(host)).toBe(true);
    },
  );

  test.each(['stacks-node', 'api'])('behavior: %s, a name without a dot, is', async (host) => {
    expect(await isOwnHost(host)).toBe(true);
  });
});
