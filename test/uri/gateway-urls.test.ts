import { expect, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { gatewayUrls } from '#uri/gateway-urls.ts';

const gateways = { ipfs: ['https://one.example', 'https://two.example/gw'], arweave: ['https://ar.example'] };
const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const TX = 'Sgmyo7nUqPpVQWUfK72p5yIpd85QQbhGaWAF-I8L6yE';
const urls = (uri: string) => {
  const found = gatewayUrls(uri, gateways);
  return isFailure(found)
    ? found.code
    : found.map(({ url, content }) => `${content === undefined ? 'guarded' : 'trusted'} ${url}`);
};
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
])('default: %s', (uri, expected) => {
  expect(urls(uri)).toEqual(expected);
});

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
  `ipfs://${CID}/..#x`,
  `ipfs://${CID}/%2f..%2fx`,
  `ar://${TX}/%2e%2e/admin`,
  'ar://abc/x',
  `ar://${TX}a`,
  `ar://${TX.slice(1)}.`,
  `ar://x/${TX}`,
])('error: not-a-uri for %s', (uri) => {
  expect(urls(uri)).toBe('not-a-uri');
});
