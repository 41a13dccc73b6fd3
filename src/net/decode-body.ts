// Decodes the Content-Encoding of a response body in every form that curl and browsers accept. undici's decompression
// rejects raw deflate and missing checksums, and skips gzip in a list with an unknown encoding.
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** The maximum number of encodings, as in curl and fetch. */
const MAX_ENCODINGS = 5;
const ZLIB_HEADER = 2;
const [GZIP_CHECKSUM, GZIP_EXTRA, GZIP_NAME, GZIP_COMMENT] = [2, 4, 8, 16];
/** Limits the window to 8 MB (RFC 9659), because a larger one would let a small body reserve much memory. */
const ZSTD_PARAMS = { [constants.ZSTD_d_windowLogMax]: 23 };

const decodeRaw = promisify(inflateRaw);
const decodeGzip: Decoder = withoutTrailer(promisify(gunzip), gzipHeaderLength);
const decodeZlib: Decoder = withoutTrailer(promisify(inflate), () => ZLIB_HEADER);
const decodeZstd = promisify(zstdDecompress);

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', decodeGzip],
  ['x-gzip', decodeGzip],
  // Many servers send deflate without the zlib header that RFC 9110 requires.
  ['deflate', (bytes, options) => (isZlib(bytes) ? decodeZlib(bytes, options) : decodeRaw(bytes, options))],
  ['br', promisify(brotliDecompress)],
  ['zstd', (bytes, options) => decodeZstd(bytes, { ...options, params: ZSTD_PARAMS })],
]);

/** The error for a body that cannot be decoded. `code` is the error code of zlib, if any. */
export class DecodeError extends Error {
  readonly code: string | undefined;

  constructor(message: string, cause?: NodeJS.ErrnoException) {
    super(message, { cause });
    this.code = cause?.code;
  }
}

/**
 * Decodes a body. `encoding` contains the values of all Content-Encoding and Transfer-Encoding fields, joined by
 * commas. Ignores unknown encodings, such as `identity`, `chunked` and `aws-chunked`, which S3 stores with objects.
 * Throws DecodeError, with the code `ERR_BUFFER_TOO_LARGE` if the result of any step exceeds `maxBytes`.
 */
export async function decodeBody(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const encodings = encoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => DECODERS.has(name));
  if (encodings.length > MAX_ENCODINGS)
    throw new DecodeError(`it has ${encodings.length} encodings, and ${MAX_ENCODINGS} are allowed`);
  let decoded = body;
  for (const name of encodings.toReversed()) {
    if (decoded.length === 0) break;
    decoded = await decodeStep(name, decoded, maxBytes);
  }
  return decoded;
}

async function decodeStep(encoding: string, bytes: Buffer, maxOutputLength: number): Promise<Buffer> {
  try {
    return await (DECODERS.get(encoding) as Decoder)(bytes, { maxOutputLength });
  } catch (error) {
    const { message } = error as Error;
    throw new DecodeError(`it is not valid ${encoding}: ${message}`, error as NodeJS.ErrnoException);
  }
}

/** Returns a decoder that also accepts complete data without a checksum, as curl and browsers do. */
function withoutTrailer(decode: Decoder, headerLength: (bytes: Buffer) => number): Decoder {
  return async (bytes, options) => {
    try {
      return await decode(bytes, options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'Z_BUF_ERROR') throw error;
      return decodeRaw(bytes.subarray(headerLength(bytes)), options).catch(() => Promise.reject(error));
    }
  };
}

/** Returns the length of a gzip header (RFC 1952). The result is arbitrary if the header is truncated. */
function gzipHeaderLength(bytes: Buffer): number {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & GZIP_EXTRA) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [GZIP_NAME, GZIP_COMMENT]) if (flags & flag) at = bytes.indexOf(0, at) + 1;
  return flags & GZIP_CHECKSUM ? at + 2 : at;
}

/** True if the bytes begin like a zlib header (RFC 1950). Raw deflate rarely begins like that. */
function isZlib(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8;
}
