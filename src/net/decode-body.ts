// Decodes the Content-Encoding of a response body. undici's decompression rejects raw deflate, and skips gzip in a list
// with an unknown encoding.
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** The maximum number of encodings, as in curl and fetch. */
const MAX_ENCODINGS = 5;
/** Limits the window to 8 MB (RFC 9659), because a larger one would let a small body reserve much memory. */
const ZSTD_PARAMS = { [constants.ZSTD_d_windowLogMax]: 23 };

const decodeRaw = promisify(inflateRaw);
const decodeGzip: Decoder = promisify(gunzip);
const decodeZlib: Decoder = promisify(inflate);
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
 * Decodes a body. `encoding` contains the values of all Content-Encoding fields, joined by commas. Ignores unknown
 * encodings, such as `identity`, and `aws-chunked`, which S3 stores with objects. Throws DecodeError, with the code
 * `ERR_BUFFER_TOO_LARGE` if the result of any step exceeds `maxBytes`.
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

/** True if the bytes begin like a zlib header (RFC 1950). Raw deflate rarely begins like that. */
function isZlib(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8;
}
