import { expect, test } from 'vitest';
import { resolveUri } from '#uri/resolve-uri.ts';

test.each([
  ['http://example.com/1.json'],
  ['https://example.com/1.json?a=b#c'],
  ['HTTPS://EXAMPLE.COM/'],
  [' https://example.com/1.json\n'],
  ['https://example.com/ü/{locale}.json'],
  ['ipfs://QmVJo3zMQ4EGvYFCcfwGnNQzRWpnUDXkDSHoXUAcQBLwAc/1.json'],
  ['ipfs://ipfs/QmVJo3zMQ4EGvYFCcfwGnNQzRWpnUDXkDSHoXUAcQBLwAc'],
  ['ipns://docs.ipfs.tech/1.json'],
  ['ar://bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U/1.json'],
])('%s', (uri) => {
  expect(resolveUri(uri)).toEqual({ kind: 'remote' });
});

test.each(['data:,abc', 'DATA:;base64,YWJj', '  data:text/plain,abc '])('returns the bytes in %j', (uri) => {
  expect(resolveUri(uri)).toEqual({ kind: 'inline', bytes: Buffer.from('abc') });
});

test.each([
  ['empty-uri', ''],
  ['empty-uri', ' \t\n'],
  ['not-a-uri', '<link to token-uri>'],
  ['not-a-uri', 'example.com/1.json'],
  ['not-a-uri', '//example.com/1.json'],
  ['not-a-uri', '/ipfs/Qm'],
  ['not-a-uri', '://example.com'],
  ['not-a-uri', 'none'],
  ['not-a-uri', 'https://'],
  ['not-a-uri', 'https://exa mple.com/'],
  ['not-a-uri', 'http://[::1'],
  ['not-a-uri', 'https://{id}.example.com/1.json'],
  ['not-a-uri', 'https://$TOKEN_ID.example.com/1.json'],
  ['not-a-uri', 'http://example.com:99999/'],
  ['unsupported-scheme', 'ftp://example.com/1.json'],
  ['unsupported-scheme', 'file:///etc/passwd'],
  ['unsupported-scheme', 'javascript:alert(1)'],
  ['unsupported-scheme', 'blob:https://example.com/1'],
  ['data-uri-invalid', 'data:application/json;base64'],
])('%s, %j', (code, uri) => {
  expect(resolveUri(uri)).toMatchObject({ code });
});

test('does not mistake a data: URI for an IPFS URI', () => {
  const text = 'a/ipfs/QmVJo3zMQ4EGvYFCcfwGnNQzRWpnUDXkDSHoXUAcQBLwAc';
  expect(resolveUri(`data:,${text}`)).toEqual({ kind: 'inline', bytes: Buffer.from(text) });
});

test('quotes the text in the message', () => {
  expect(resolveUri('logo.png')).toMatchObject({ code: 'not-a-uri', message: '"logo.png" is not a URI.' });
});

test('quotes only the beginning of a long URI', () => {
  const result = resolveUri(`gopher:${'x'.repeat(100_000)}`);
  expect(result).toMatchObject({ code: 'unsupported-scheme', message: expect.stringContaining('gopher:xxx') });
  expect('message' in result && result.message.length).toBeLessThan(200);
});
