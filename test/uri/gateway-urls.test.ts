import { expect, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { gatewayUrls } from '#uri/gateway-urls.ts';
import { resolveUri } from '#uri/resolve-uri.ts';

const gateways = { ipfs: ['https://one.example', 'https://two.example/gw'], arweave: ['https://ar.example'] };
const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const TX = 'Sgmyo7nUqPpVQWUfK72p5yIpd85QQbhGaWAF-I8L6yE';
const urls = (uri: string) => {
  const found = gatewayUrls(uri, gateways);
  return isFailure(found)
    ? found.code
    : found.map(({ url, content }) => `${content === undefined ? 'guarded' : 'trusted'} ${url}`);
};
const V0 = 'QmVJo3zMQ4EGvYFCcfwGnNQzRWpnUDXkDSHoXUAcQBLwAc';
const ipfs = (path: string) => [`trusted https://one.example/${path}`, `trusted https://two.example/gw/${path}`];

test.each([
  [`ipfs://${CID}/a/b.json?x=1`, ipfs(`ipfs/${CID}/a/b.json?x=1`)],
  [`ipfs://ipfs/${CID}/1.json`, ipfs(`ipfs/${CID}/1.json`)],
  [`IPFS://${CID}`, ipfs(`ipfs/${CID}`)],
  [`ipfs://${CID}/a?b=/../c#d`, ipfs(`ipfs/${CID}/a?b=/../c`)],
  ['ipns://docs.example/a', ipfs('ipns/docs.example/a')],
  [`ar://${TX}/x?y`, [`trusted https://ar.example/${TX}/x?y`]],
  [`ar:${TX}`, [`trusted https://ar.example/${TX}`]],
  [`https://ipfs.io/ipfs/${CID}/a?b=c`, ipfs(`ipfs/${CID}/a?b=c`)],
  [`https://gateway.pinata.cloud/ipfs/${CID}`, ipfs(`ipfs/${CID}`)],
  [`https://${CID}.ipfs.dweb.link/a.json?x=1`, ipfs(`ipfs/${CID}/a.json?x=1`)],
  [`https://${CID}.ipfs.w3s.link/`, ipfs(`ipfs/${CID}/`)],
  ['https://example.org/ipfs/x', ['guarded https://example.org/ipfs/x']],
  ['https://ipfs.io/about', ['guarded https://ipfs.io/about']],
  ['http://example.org', ['guarded http://example.org/']],
])('%s', (uri, expected) => {
  expect(urls(uri)).toEqual(expected);
});

test.each([
  ...[V0, CID, CID.toUpperCase(), 'zdj7WhuEjrB52m1BisYCtmjH1hSKa7yZ3jEZ9JcXaFRD51wVz'],
  'k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8',
  'f01701220c3c4733ec8affd06cf9e9ff50ffc6bcd2ec85a6170004bb709669c31de94391a',
  'uAXASIMPEcz7Ir_0Gz56f9Q_8a80uyFphcABLtwlmnDHelDka',
])('finds the CID %s behind mangled prefixes', (cid) => {
  for (const prefix of [
    ...['ipfs://', 'ipfs:/', 'ipfs:', 'ipfs:///', 'ipfs//', 'ipfs/', '/ipfs/', '//ipfs/', 'ipfs:\\\\', 'Ipfs://', ''],
    ...[
      'ipfs://ipfs/',
      'ipfs://ipfs/ipfs/',
      'ipfs://IPFS/',
      'ipfs://ipfs://',
      'ipfs:ipfs:',
      'ipfs://ipfs:/',
      'ipfs:// ',
    ],
    ...['ipfs://https://host.example/ipfs/', 'ipfs://localhost:8080/ipfs/', 'ipfs://ipfs.io/', 'ipfs://ipfs.io/ipfs/'],
    ...['https://ipfs.io/ipfs/ipfs://', 'https://ipfs.io/ipfs/ipfs/', 'https://ipfs.io/ipfs//', 'https://ipfs.io/'],
    ...[
      'https://ipfs.io/ipfs/https://ipfs.io/ipfs/',
      'https://ipfs.io//ipfs/',
      'https//ipfs.io/ipfs/',
      'ipfs.io/ipfs/',
    ],
    ...['https:/ipfs.io/ipfs/', 'HTTPS://IPFS.IO/ipfs/', 'http://dweb.link/ipfs/', 'https://w3s.link:443/ipfs/'],
    ...['dweb:/ipfs/', 'dweb://', 'fs:/ipfs/', 'web+ipfs://', 'ipfs%3A%2F%2F', 'ipfs://%2f'],
  ]) {
    expect(resolveUri(` ${prefix}${cid}/1.json`)).toEqual({ kind: 'remote' });
    expect(urls(` ${prefix}${cid}/1.json`)).toEqual(ipfs(`ipfs/${cid}/1.json`));
  }
});

test.each([
  ['ipns://ipns/docs.example/a', 'ipns/docs.example/a'],
  ['ipfs://ipns/docs.example/a', 'ipns/docs.example/a'],
  ['ipns://docs.example/ipfs/a', 'ipns/docs.example/ipfs/a'],
  ['dweb:/ipns/docs.example', 'ipns/docs.example'],
  ['https://ipfs.io/ipns/docs.example/a', 'ipns/docs.example/a'],
  [`ipns://${V0}/a`, `ipns/${V0}/a`],
  [`https://${CID}.ipns.dweb.link/a`, `ipns/${CID}/a`],
  [`ipfs://${CID}.ipfs.dweb.link/a`, `ipfs/${CID}/a`],
  [`ipfs://${CID}%2Fa`, `ipfs/${CID}/a`],
  [`ipfs://${CID}/a%2Fb%5Cc`, `ipfs/${CID}/a%2Fb%5Cc`],
  [`ipfs://${CID}/a b/ü.json`, `ipfs/${CID}/a%20b/%C3%BC.json`],
  [`ipfs://${CID}/${V0}/1`, `ipfs/${CID}/${V0}/1`],
  [`ipfs://${CID}#1`, `ipfs/${CID}`],
  ['ipfs://Qm1/a', 'ipfs/Qm1/a'],
])('reads %s', (uri, path) => {
  expect(resolveUri(uri)).toEqual({ kind: 'remote' });
  expect(urls(uri)).toEqual(ipfs(path));
});

test('requests the host of a URL first, and then gateways for its CID', () => {
  for (const url of [`https://example.org/ipfs/${CID}/1.json`, `https://${CID}.ipfs.example.org/1.json`])
    expect(urls(url)).toEqual([`guarded ${url}`, ...ipfs(`ipfs/${CID}/1.json`)]);
  expect(urls(`https://docs.ipfs.io/ipfs/${CID}`)).toEqual([
    `guarded https://docs.ipfs.io/ipfs/${CID}`,
    ...ipfs(`ipfs/${CID}`),
  ]);
  const leaving = `https://example.org/ipfs/${CID}/..%2f..%2fx`;
  expect(urls(leaving)).toEqual([`guarded ${leaving}`]);
  expect(urls(`https://example.org/x/${CID}`)).toEqual([`guarded https://example.org/x/${CID}`]);
});

test.each([
  ['Wookz#525.png', 'Wookz%23525.png'],
  ['#1.png', '%231.png'],
  ['100%.png', '100%25.png'],
  ['%zz%4%41', '%25zz%254%41'],
  ['a?b=c', 'a?b=c'],
  ['a#b?c#d?e', 'a%23b?c'],
  ['..#x', '..%23x'],
])('encodes the path %s as the name of a file', (path, encoded) => {
  for (const uri of [`ipfs://${CID}/${path}`, `https://ipfs.io/ipfs/${CID}/${path}`])
    expect(urls(uri)).toEqual(ipfs(`ipfs/${CID}/${encoded}`));
  expect(urls(`ar://${TX}/${path}`)).toEqual([`trusted https://ar.example/${TX}/${encoded}`]);
});

test.each(['ar:', 'ar:/', 'ar:///', 'ar://ar://', 'ar://https://arweave.net/', 'AR://arweave.net/'])(
  'finds the Arweave id after %s',
  (prefix) => {
    expect(resolveUri(`${prefix}${TX}/1`)).toEqual({ kind: 'remote' });
    expect(urls(`${prefix}${TX}/1`)).toEqual([`trusted https://ar.example/${TX}/1`]);
  },
);

test.each([
  'ipfs://',
  'ipfs://../../admin',
  `ipfs://${CID}/../../admin`,
  'ipfs://a b',
  'ar://?x',
  `ipfs://${CID}/%2e%2e/%2E%2e/x`,
  `ipfs://${CID}/.%2e`,
  `ipfs://${CID}\\..\\..`,
  `ipfs://${CID}/.\t./x`,
  `ipfs://${CID}/%2f..%2fx`,
  `ipfs://${CID}/a%2f%2E%2e%2fx`,
  `ar://${TX}/%2e%2e/admin`,
  'ar://abc/x',
  `ar://${TX}a`,
  `ar://${TX.slice(1)}.`,
  `ar://x/${TX}`,
])('reports not-a-uri for %s', (uri) => {
  expect(urls(uri)).toBe('not-a-uri');
});
