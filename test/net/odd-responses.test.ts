// Tests what the client reads from odd responses. It reads the text, or names the cause.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { client } from '../support/http-client.ts';

const TEXT = '{"name":"a token with a name that is long enough to be compressed, compressed, compressed"}';
const OK = 'HTTP/1.1 200 OK';
const LENGTH = `Content-Length: ${TEXT.length}`;
const SIZE = TEXT.length.toString(16);

type Head = string | readonly string[];
/** A description, the head, the body, and the expected text or failure. */
type Row = readonly [what: string, head: Head, body: string | Uint8Array, expected: string | object];

const failed = (message: RegExp, code = 'response-invalid') => ({ code, message: expect.stringMatching(message) });
const CUT = failed(/ended early, in its body\.$/, 'connection-failed');
const SHORT = failed(/is not valid (gzip|deflate|br|zstd): /);
const gzip = gzipSync(TEXT);
const gzipTimes = (times: number): Uint8Array => (times === 0 ? Buffer.from(TEXT) : gzipSync(gzipTimes(times - 1)));

const encoded = (encoding: string, body: Uint8Array, expected: string | object = TEXT, what = encoding): Row => [
  what,
  [OK, `Content-Encoding: ${encoding}`],
  body,
  expected,
];
const plain = (what: string, head: Head, expected: string | object = TEXT, body: string = TEXT): Row => [
  what,
  head,
  body,
  expected,
];
const chunked = (what: string, chunks: string, expected: string | object = TEXT): Row =>
  plain(what, [OK, 'Transfer-Encoding: chunked'], expected, chunks);
const redirect = (location: string, target: string): Row =>
  plain(`a redirect to ${location}`, ['HTTP/1.1 302 Found', `Location: ${location}`], `target ${target}`, '');

const ROWS: readonly Row[] = [
  encoded('identity', Buffer.from(TEXT)),
  encoded('foo', Buffer.from(TEXT)),
  encoded('gzip', gzip),
  encoded('x-gzip', gzip),
  encoded('\t GZIP \t', gzip),
  encoded('br', brotliCompressSync(TEXT)),
  encoded('zstd', zstdCompressSync(TEXT)),
  encoded('deflate', deflateSync(TEXT)),
  encoded('deflate', deflateRawSync(TEXT), TEXT, 'deflate without a header'),
  encoded('identity, gzip', gzip),
  encoded(', gzip ,,', gzip),
  encoded('aws-chunked, gzip', gzip),
  encoded('gzip,aws-chunked', gzip),
  encoded('gzip, br', brotliCompressSync(gzip)),
  encoded('gzip, deflate', deflateRawSync(gzip)),
  encoded('gzip,gzip,gzip,gzip,gzip', gzipTimes(5)),
  encoded('gzip,gzip,gzip,gzip,gzip,gzip', gzipTimes(6), failed(/has 6 encodings, and 5 are allowed/)),
  ['encodings on two lines', [OK, 'content-encoding: identity', 'content-encoding: gzip'], gzip, TEXT],
  encoded('gzip', gzipSync(''), '', 'gzip of nothing'),
  encoded('gzip', Buffer.alloc(0), '', 'gzip without a body'),
  encoded('gzip', Buffer.from(TEXT), failed(/is not valid gzip/), 'gzip that is no gzip'),
  encoded('gzip', Buffer.concat([gzip, Buffer.from('rubbish')]), failed(/is not valid gzip/), 'gzip, then rubbish'),
  encoded('gzip', gzip.subarray(0, 40), SHORT, 'gzip that is cut'),
  encoded('deflate', deflateSync(TEXT).subarray(0, 40), SHORT, 'deflate that is cut'),
  encoded('deflate', deflateRawSync(TEXT).subarray(0, 40), SHORT, 'deflate without a header that is cut'),
  encoded('br', brotliCompressSync(TEXT).subarray(0, 40), SHORT, 'br that is cut'),
  encoded('zstd', zstdCompressSync(TEXT).subarray(0, 40), SHORT, 'zstd that is cut'),
  encoded('gzip', gzip.subarray(0, -8), SHORT, 'gzip without a trailer'),
  encoded('deflate', deflateSync(TEXT).subarray(0, -4), SHORT, 'deflate without a checksum'),

  chunked('extensions of chunks', `${SIZE};a=b;c="d"\r\n${TEXT}\r\n0;f\r\n\r\n`),
  chunked('no last chunk', `${SIZE}\r\n${TEXT}\r\n`, CUT),
  chunked('a chunk that is cut', `${SIZE}\r\n${TEXT.slice(0, 20)}`, CUT),
  plain('HTTP/1.0 without a length', 'HTTP/1.0 200 OK'),
  chunked('blanks and odd bytes in a line of a chunk', `${SIZE} ; a = \x01\xff\r\n${TEXT}\r\n0\r\n\r\n`),
  chunked('a chunk without a size', `zz\r\n${TEXT}\r\n0\r\n\r\n`, failed(/a chunk of its body has no size/)),
  chunked('a chunk that is longer than its size', `5\r\n${TEXT}\r\n0\r\n\r\n`, failed(/larger than its size/)),
  chunked('line feeds without carriage returns', `${SIZE}\n${TEXT}\n0\n\n`),
  plain('line feeds in the head', `${OK}\n${LENGTH}\nA: b\n`, `\r\n${TEXT.slice(0, -2)}`),
  plain('a folded line', [OK, 'A: b\r\n c', LENGTH]),
  plain('a length on a folded line', [OK, `Content-Length:\r\n ${TEXT.length}`]),
  plain('odd names', [OK, ' A: b', 'A b : c', '\xfc@(): d', ': e', 'f', `Content-Length : ${TEXT.length}`]),
  plain('control characters in a value', [OK, 'A: \x01\x7f\rb', LENGTH]),
  plain('two equal lengths', [OK, LENGTH, LENGTH], TEXT, `${TEXT} and more`),
  plain('a list of equal lengths', [OK, `${LENGTH}, ${TEXT.length}`], TEXT, `${TEXT} and more`),
  plain('lengths that differ', [OK, LENGTH, 'Content-Length: 10'], failed(/different values of Content-Length/)),
  ...[' \t', '.0', ' bytes', ';'].map((end) => plain(`a length before ${end}`, [OK, `${LENGTH}${end}`])),
  plain('a length with a sign', [OK, `Content-Length: +${TEXT.length}`]),
  plain('a length that is not a number', [OK, 'Content-Length: none']),
  plain('a length of chunks', [OK, LENGTH, 'Transfer-Encoding: chunked'], TEXT, `${SIZE}\r\n${TEXT}\r\n0\r\n\r\n`),
  plain('a length with the identity transfer encoding', [OK, 'Transfer-Encoding: identity', LENGTH]),
  ...['HTTP/2 200', 'http/1.1 200 OK', 'HTTP/1.1  200', 'HTTP/1.1 200'].map((line) => plain(line, [line, LENGTH])),
  plain('a status of four digits', ['HTTP/1.1 2000 OK', LENGTH], failed(/does not begin with a status/)),
  plain('bytes beyond ASCII in a value', [OK, 'A: \xc3\xbc\xff', LENGTH]),
  plain('a header of 60 KB', [OK, `A: ${'x'.repeat(60_000)}`, LENGTH]),
  plain('3,000 headers', [OK, ...Array.from({ length: 3_000 }, (_, index) => `A${index}: b`), LENGTH]),
  plain('headers of 200 KB', [OK, ...Array(20).fill(`A: ${'x'.repeat(10_000)}`), LENGTH]),
  plain('headers of 400 KB', [OK, ...Array(40).fill(`A: ${'x'.repeat(10_000)}`), LENGTH], failed(/./)),
  plain('a length that is too large', [OK, 'Content-Length: 500'], CUT),
  plain('a length that is too small', [OK, 'Content-Length: 10'], TEXT.slice(0, 10)),
  plain('no bytes after the head', [OK, LENGTH], CUT, ''),
  plain('100 twice', [...Array(2).fill('HTTP/1.1 100 Continue\r\n'), OK, LENGTH]),
  plain('102 twice, then 103', [...Array(2).fill('HTTP/1.1 102 Processing\r\n'), 'HTTP/1.1 103 Hints\r\n', OK, LENGTH]),
  plain('101', ['HTTP/1.1 101 Switching Protocols', 'Upgrade: h2c'], failed(/./), ''),
  plain('206 with all bytes', ['HTTP/1.1 206 Partial Content', LENGTH]),
  plain('304 with a body', ['HTTP/1.1 304 Not Modified', LENGTH], { code: 'http-304' }),
  plain('600', ['HTTP/1.1 600 Odd', LENGTH], { code: 'http-600' }),
  redirect('target/relative', '/target/relative'),
  redirect('target/folded\r\n ', '/target/folded'),
  redirect('/target/two words', '/target/two%20words'),
  redirect('/target/\xc3\xbc', '/target/%C3%BC'),
  redirect('//HOST/target/scheme', '/target/scheme'),
  plain('a redirect to nothing', 'HTTP/1.1 302 Found', failed(/without a location/, 'redirect-invalid')),
];

test.each(ROWS)('reads, or rejects with a cause: %s', async (_what, head, body, expected) => {
  const server = createServer((socket) => {
    // A client that rejects a response before its end resets the connection. This is not an error here.
    socket.on('error', () => {});
    socket.once('data', (data) => {
      const [, path = ''] = data.toString('latin1').split(' ');
      const lines = path.startsWith('/target/') ? [OK] : [head].flat();
      socket.write(`${lines.join('\r\n')}\r\n\r\n`.replace('HOST', host), 'latin1');
      socket.end(path.startsWith('/target/') ? `target ${path}` : body);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await client({ allow: [host] }).get(`http://${host}/`, { maxBytes: 1_000 });
  if (isFailure(response)) expect(response).toMatchObject(expected as object);
  else expect(response.isModified && Buffer.from(response.bytes).toString()).toBe(expected);
});
