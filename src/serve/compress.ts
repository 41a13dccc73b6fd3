// Compresses bytes with an encoding that the client accepts (RFC 9110, 12.5.3).
import type { Transform } from 'node:stream';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** The quality of Brotli: low, since the client waits for the response while it is compressed. */
const BROTLI_QUALITY = 4;
/** The binary logarithm of Brotli's window in bytes, which limits the memory of a stream to about 1 MB. */
const BROTLI_STREAM_WINDOW = 18;
const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;

/** Compresses bytes in this thread. For small bodies, another thread would take longer. */
export function compress(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gzip') return gzipSync(bytes);
  return brotliCompressSync(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}

/** Returns a stream that compresses in other threads. */
export function createCompressor(encoding: Encoding): Transform {
  const params = { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_LGWIN]: BROTLI_STREAM_WINDOW };
  return encoding === 'gzip' ? createGzip() : createBrotliCompress({ params });
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
