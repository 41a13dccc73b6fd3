// Tests the reading of URIs from chains and documents: the data in data URIs, and the URLs to request for others.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isFailure } from '#model/failure.ts';
import { fillLocale, fillTokenNumber } from '#sip-016/fill-template.ts';
import { gatewayUrls } from '#uri/gateway-urls.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import { fuzz } from './fuzz.ts';

const GATEWAYS = { ipfs: ['https://one.example', 'https://two.example/gw'], arweave: ['https://ar.example/raw'] };
/** Matches every URL that the program may request from a gateway. */
const TRUSTED =
  /^https:\/\/(one\.example\/ip[fn]s|two\.example\/gw\/ip[fn]s|ar\.example\/raw)\/[A-Za-z0-9_.-]+([/?]|$)/;
const MAX_MESSAGE_LENGTH = 700;
const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const V0 = 'QmVJo3zMQ4EGvYFCcfwGnNQzRWpnUDXkDSHoXUAcQBLwAc';
const INLINE = ['data:,', 'data:;base64,', 'data:application/json;charset=utf-8;base64,', 'data:image/svg+xml;utf8,'];
const WEB = ['https://example.org/', 'http://user:word@[::1]:99999/'];
const WEB_GATEWAYS = ['https://ipfs.io/ipfs/', `https://${CID}.ipfs.dweb.link/`, 'https://gateway.pinata.cloud/ipns/'];
const MANGLED = [
  'ipfs://ipfs://',
  'ipfs//',
  '/ipfs/',
  'https//',
  'https://a.b/ipfs/',
  'dweb:/ipfs/',
  'ipfs%3A%2F%2F',
  '',
];
const OTHERS = ['ipfs://', 'ipfs://ipfs/', 'IPNS:', 'ar://', 'ftp://', 'javascript:'];
const HEADS = [...INLINE, ...WEB, ...WEB_GATEWAYS, ...OTHERS, ...MANGLED];
const PARTS = [
  CID,
  V0,
  '..',
  '.',
  '/',
  '\\',
  '%2e%2e',
  '%2F',
  '%5c',
  '#',
  '?',
  '{id}',
  '{locale}',
  '$TOKEN_ID',
  '%',
  '€',
];
const STEPS = ['..', '%2e%2E', '.%2e', '.\t.', '.', 'a', ''];
const MORE_PARTS = ['\t', '\n', '\0', ' ', 'a', 'QUJD', 'QQ==', '-_', '{"name":"#1"}', '%7B%7D', '@', ':', '//', '😀'];

const part = fc.constantFrom(...PARTS, ...MORE_PARTS);
const uri = fc.oneof(
  fc.tuple(fc.constantFrom(...HEADS), fc.array(part, { maxLength: 8 })).map(([head, parts]) => head + parts.join('')),
  fc
    .tuple(fc.constantFrom(...HEADS), fc.array(fc.constantFrom(...STEPS), { maxLength: 4 }), fc.array(part), fc.nat(2))
    .map(([head, steps, parts, style]) => head + [CID, ...steps, ...parts].join(style === 0 ? '\\' : '/')),
);

function read(uri: string): boolean {
  const resolved = resolveUri(uri);
  if (isFailure(resolved)) {
    assert.ok(resolved.message.length <= MAX_MESSAGE_LENGTH);
    return false;
  }
  if (resolved.kind === 'inline') {
    assert.ok(resolved.bytes.length <= Buffer.byteLength(uri));
    return true;
  }
  const urls = gatewayUrls(uri, GATEWAYS);
  if (isFailure(urls)) {
    assert.equal(urls.code, 'not-a-uri');
    return false;
  }
  assert.ok(urls.length > 0);
  for (const { url, content } of urls) {
    assert.ok(url.length <= 9 * uri.length + MAX_MESSAGE_LENGTH);
    assert.match(url, content === undefined ? /^https?:/ : TRUSTED);
    // The gateway decodes the path once, so it must not contain `..` after one decoding.
    const steps = content === undefined ? [] : unescape(new URL(url).pathname).split(/[/\\]/);
    assert.ok(!steps.includes('..'));
    assert.equal(new URL(url).href, url);
  }
  return true;
}

fuzz({
  name: 'uri',
  inputs: 5_000,
  valid: fc
    .constantFrom(
      ...[
        'https://example.org/a',
        `ipfs://${CID}/1.json`,
        `ar://${'a'.repeat(43)}/x`,
        'ipns://docs.example/a',
        'data:,x',
      ],
      `https://ipfs.io/ipfs/${CID}/a?b`,
      `https://${CID}.ipfs.w3s.link/x`,
      'data:application/json;base64,e30=',
      'data:;base64, e30 %3D',
    )
    .map((valid) => Buffer.from(valid)),
  edit: uri.map((other) => () => Buffer.from(other)),
  tokens: [...HEADS, ...PARTS, ...MORE_PARTS],
  read: (input) => {
    const uri = input.toString();
    read(fillTokenNumber(fillLocale(uri, 'pt-BR'), '7'));
    return read(uri);
  },
});
