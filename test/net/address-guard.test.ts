import { describe, expect, test } from 'vitest';
import { addressLiteralOf, isLocalName, isPrivateHost, isPublicAddress } from '#net/address-guard.ts';

describe('isPublicAddress', () => {
  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888'])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '',
    ...`127.0.0.1 127.255.255.254 10.1.2.3 172.16.0.1 192.168.0.1 169.254.169.254 100.64.0.1 0.0.0.0 192.0.2.1
      198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1
      ::ffff:8.8.8.8 ::127.0.0.1 ::7f00:1 4000::1 64:ff9b::7f00:1 64:ff9b::a00:1 2002:7f00:1::
      2001:0:4136:e378:8000:63bf:3fff:fdd2 fe80::1 fc00::1 fd12::1 fec0::1 ff02::1 2001:db8::1 100::1 example.org`.split(
      /\s+/,
    ),
  ])('rejects %s, which is not on the open web', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('hosts', () => {
  test('default', () => {
    expect(addressLiteralOf('[::1]')).toBe('::1');
    expect(addressLiteralOf('example.org')).toBeUndefined();
    for (const name of ['localhost', 'a.localhost', 'LOCALHOST.', 'printer.local', 'db.internal', 'router.home.arpa'])
      expect(isLocalName(name)).toBe(true);
    for (const name of ['example.org', 'localhost.example.org', 'notlocalhost']) expect(isLocalName(name)).toBe(false);
  });
});

describe('isPrivateHost', () => {
  // Decides these hosts without looking up their names.
  test.each(
    `127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 ::1 [::1] [fd00::1] [fe80::1] [::ffff:127.0.0.1]
      localhost LOCALHOST localhost. node.localhost node.local node.internal nas.home.arpa stacks-node api`.split(
      /\s+/,
    ),
  )('finds that %s is private', async (host) => {
    expect(await isPrivateHost(host)).toBe(true);
  });

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '[2606:4700:4700::1111]'])(
    'finds that the address %s is public',
    async (host) => {
      expect(await isPrivateHost(host)).toBe(false);
    },
  );
});
