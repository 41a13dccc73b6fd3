// Responses whose Content-Encoding is odd, by a description of the oddity.
import { brotliCompressSync, crc32, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { BODY, EMPTY, lengthOf, type OddResponse, OK, raw, withHead } from './odd-response.ts';

const gzip = gzipSync(BODY);
const zlib = deflateSync(BODY);
const rawDeflate = deflateRawSync(BODY);
const br = brotliCompressSync(BODY);
const zstd = zstdCompressSync(BODY);
const rubbish = Buffer.from('rubbish');

const encoded = (encoding: string, ...parts: readonly Uint8Array[]) => {
  const body = Buffer.concat(parts);
  return withHead([OK, `Content-Encoding: ${encoding}`, lengthOf(body)], body);
};
const twoLines = (body: Buffer, ...encodings: readonly string[]) =>
  withHead([OK, ...encodings.map((encoding) => `content-encoding: ${encoding}`), lengthOf(body)], body);
/** Returns a response with a chunked body, which consists of one chunk. */
const inChunk = (body: Buffer, ...fields: readonly string[]) => {
  const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  return withHead([OK, ...fields], chunk);
};
const gzipTimes = (times: number): Buffer => (times === 0 ? BODY : gzipSync(gzipTimes(times - 1)));
/** The header of gzip data with all optional parts: extra data, a name, a comment and a checksum. */
const fullHeader = Buffer.from([
  ...gzip.subarray(0, 3),
  0x1e,
  ...gzip.subarray(4, 10),
  2,
  0,
  7,
  0,
  ...Buffer.from('a\0b\0'),
]);
const checksum = Buffer.alloc(2);
checksum.writeUInt16LE(crc32(fullHeader) & 0xffff);
const fullGzip = Buffer.concat([fullHeader, checksum, gzip.subarray(10)]);
const namedGzip = Buffer.concat([
  gzip.subarray(0, 3),
  Buffer.from([0x18]),
  gzip.subarray(4, 10),
  Buffer.from('name\0comment\0'),
  gzip.subarray(10),
]);

export const ODD_ENCODINGS: Readonly<Record<string, OddResponse>> = {
  gzip: encoded('gzip', gzip),
  'x-gzip': encoded('x-gzip', gzip),
  'GZIP in capitals': encoded('GZIP', gzip),
  'gzip with blanks': encoded('\t gzip \t', gzip),
  'gzip, then identity': encoded('gzip,identity', gzip),
  'identity, then gzip': encoded('identity, gzip', gzip),
  'gzip among empty items': encoded(', gzip ,,', gzip),
  identity: encoded('identity', BODY),
  'no encoding': encoded('', BODY),
  'an encoding that is none': encoded('none', BODY),
  'an encoding that is a character set': encoded('utf-8', BODY),
  'an unknown encoding': encoded('foo', BODY),
  'gzip with a parameter': encoded('gzip;q=1', gzip),
  'gzip in quotes': encoded('"gzip"', gzip),
  'gzip twice': encoded('gzip, gzip', gzipTimes(2)),
  'gzip twice on two lines': twoLines(gzipTimes(2), 'gzip', 'gzip'),
  'identity and gzip on two lines': twoLines(gzip, 'identity', 'gzip'),
  'br after gzip': encoded('gzip, br', brotliCompressSync(gzip)),
  'raw deflate after gzip': encoded('gzip, deflate', deflateRawSync(gzip)),
  'gzip three times': encoded('gzip,gzip,gzip', gzipTimes(3)),
  'gzip five times': encoded('gzip,gzip,gzip,gzip,gzip', gzipTimes(5)),
  'gzip six times': encoded('gzip,gzip,gzip,gzip,gzip,gzip', gzipTimes(6)),
  'gzip that is declared twice, and done once': encoded('gzip, gzip', gzip),
  'gzip that is no gzip': encoded('gzip', BODY),
  'deflate with a zlib header': encoded('deflate', zlib),
  'raw deflate': encoded('deflate', rawDeflate),
  'raw deflate of stored blocks': encoded('deflate', deflateRawSync(BODY, { level: 0 })),
  'deflate that is gzip': encoded('deflate', gzip),
  'gzip that is deflate': encoded('gzip', zlib),
  'x-deflate': encoded('x-deflate', zlib),
  br: encoded('br', br),
  zstd: encoded('zstd', zstd),
  'zstd in two frames': encoded('zstd', zstd, zstd),
  'gzip in two members': encoded('gzip', gzip, gzipSync('more')),
  'gzip, then zeros': encoded('gzip', gzip, Buffer.alloc(20)),
  'gzip, then rubbish': encoded('gzip', gzip, rubbish),
  'zlib, then rubbish': encoded('deflate', zlib, rubbish),
  'raw deflate, then rubbish': encoded('deflate', rawDeflate, rubbish),
  'br, then rubbish': encoded('br', br, rubbish),
  'zstd, then rubbish': encoded('zstd', zstd, rubbish),
  'gzip without its trailer': encoded('gzip', gzip.subarray(0, -8)),
  'gzip with half a trailer': encoded('gzip', gzip.subarray(0, -4)),
  'gzip with a wrong checksum': encoded('gzip', gzip.subarray(0, -8), Buffer.alloc(4, 7), gzip.subarray(-4)),
  'gzip that is cut': encoded('gzip', gzip.subarray(0, 40)),
  'zlib without its checksum': encoded('deflate', zlib.subarray(0, -4)),
  'zlib that is cut': encoded('deflate', zlib.subarray(0, 40)),
  'raw deflate that is cut': encoded('deflate', rawDeflate.subarray(0, 40)),
  'br that is cut': encoded('br', br.subarray(0, 40)),
  'zstd that is cut': encoded('zstd', zstd.subarray(0, 40)),
  'gzip of nothing': encoded('gzip', gzipSync('')),
  'gzip without a body': encoded('gzip', EMPTY),
  'gzip with all parts of a header': encoded('gzip', fullGzip),
  'gzip with all parts of a header and without its trailer': encoded('gzip', fullGzip.subarray(0, -8)),
  'gzip with a name and a comment': encoded('gzip', namedGzip),
  'gzip with a name and without its trailer': encoded('gzip', namedGzip.subarray(0, -8)),
  'gzip without a length': raw(`${OK}\r\nContent-Encoding: gzip\r\n\r\n`, gzip),
  'chunks of gzip': inChunk(gzip, 'Transfer-Encoding: chunked', 'Content-Encoding: gzip'),
  'gzip as a transfer encoding': inChunk(gzip, 'Transfer-Encoding: gzip, chunked'),
};
