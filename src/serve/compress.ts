// Compresses bytes, for one of the encodings that a client may accept (RFC 9110, 12.5.3).
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Fast enough for an answer that is made as it is asked for. */
const BROTLI_QUALITY = 4;
const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)];

export function compressInPlace(bytes: Buffer, encoding: Encoding): Buffer {
  return encoding === 'br' ? brotliCompressSync(bytes, brotliOptions(bytes)) : gzipSync(bytes);
}

/** Compresses in another thread. */
export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'br' ? brotliOf(bytes, brotliOptions(bytes)) : gzipOf(bytes);
}

function brotliOptions({ length }: Buffer) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: length } };
}

/** Undefined for a body as it is. Takes the better one of those that are accepted alike. */
export function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const qualities = new Map(accepted.toLowerCase().split(',').map(readQuality));
  const quality = (name: string) => qualities.get(name) ?? qualities.get('*') ?? 0;
  const best = quality('gzip') > quality('br') ? 'gzip' : 'br';
  // A body as it is counts only where it is listed: a client that lists others wants them.
  return quality(best) > 0 && quality(best) >= (qualities.get('identity') ?? 0) ? best : undefined;
}

function readQuality(item: string): [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
