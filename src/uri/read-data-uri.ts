// Decodes data: URIs (RFC 2397), even with a raw `#` or `%`, which a URL parser would truncate or reject.
import { type Failure, fail } from '#model/failure.ts';

/** Returns the bytes in the URI. Base64 may be URL-safe, unpadded, split by spaces, or percent-encoded. */
export function readDataUri(uri: string): Uint8Array | Failure {
  const comma = uri.indexOf(',');
  if (comma === -1) return fail('data-uri-invalid', 'The data: URI has no comma before its data.');
  const [, ...parameters] = uri.slice('data:'.length, comma).split(';');
  const data = percentDecode(uri.slice(comma + 1));
  if (!parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')) return data;
  const base64 = Buffer.from(data).toString('latin1').replaceAll(/\s/g, '');
  const isBase64 = /^[A-Za-z0-9+/_-]*={0,2}$/.test(base64) && base64.replace(/={1,2}$/, '').length % 4 !== 1;
  if (!isBase64) return fail('data-uri-invalid', 'The data: URI declares base64, but its data is not base64.');
  return Buffer.from(base64, 'base64');
}

/** Returns the UTF-8 bytes of a text, with `%41` decoded. A `%` without two hex digits stays unchanged. */
function percentDecode(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const decoded = bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}
