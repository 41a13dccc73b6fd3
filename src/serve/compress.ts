// Compresses bytes with an encoding that the client accepts (RFC 9110, 12.5.3).
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** The quality of Brotli: low, since the client waits for the response while it is compressed. */
const BROTLI_QUALITY = 4;
const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)];

export function compressInPlace(bytes: Buffer, encoding: Encoding): Buffer {
  return encoding === 'br' ? brotliCompressSync(bytes, brotliOptions(bytes)) : gzipSync(bytes);
}

/** Compresses bytes in a thread of Node's pool. */
export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? brotliOf(bytes, brotliOptions(bytes)) : gzipOf(bytes);
}

function brotliOptions({ length }: Buffer) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: length } };
}

/**
 * Returns the accepted encoding with the highest quality; Brotli if both qualities are the same. Undefined if the body
 * must not be compressed.
 */
export function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const qualities = new Map(accepted.toLowerCase().split(',').map(readQuality));
  const quality = (name: string) => qualities.get(name) ?? qualities.get('*') ?? 0;
  const best = quality('gzip') > quality('br') ? 'gzip' : 'br';
  // The quality of `identity`, the uncompressed form, matters only if the client lists it.
  return quality(best) > 0 && quality(best) >= (qualities.get('identity') ?? 0) ? best : undefined;
}

function readQuality(item: string): [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
