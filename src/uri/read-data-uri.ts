// Reads a data: URI (RFC 2397) in every form that occurs: base64 or not, percent-encoded or not, with any parameters.
// A URL parser would cut the data at the first `#`, and JSON with a colour in it often has one; a raw `%` occurs too.
import { type Failure, fail } from '#model/failure.ts';

/** The bytes that the URI carries. Base64 may be URL-safe, unpadded, broken by spaces, or percent-encoded itself. */
export function readDataUri(uri: string): Uint8Array | Failure {
  const comma = uri.indexOf(',');
  if (comma === -1) return fail('data-uri-invalid', 'The data: URI has no comma before its data.');
  const [, ...parameters] = uri.slice('data:'.length, comma).split(';');
  const data = percentDecode(uri.slice(comma + 1));
  if (!parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')) return data;
  const base64 = Buffer.from(data).toString('latin1').replaceAll(/\s/g, '');
  const isBase64 = /^[A-Za-z0-9+/_-]*={0,2}$/.test(base64) && base64.replace(/=+$/, '').length % 4 !== 1;
  if (!isBase64) return fail('data-uri-invalid', 'The data: URI says base64, but its data is not.');
  return Buffer.from(base64, 'base64');
}

/** Bytes of the text in UTF-8 with `%41` decoded; a `%` that no two hex digits follow stands for itself. */
function percentDecode(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'utf8');
  const decoded = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const escaped = bytes[at] === 0x25 ? bytes.toString('latin1', at + 1, at + 3) : '';
    if (/^[0-9A-Fa-f]{2}$/.test(escaped)) {
      decoded[length++] = Number.parseInt(escaped, 16);
      at += 2;
    } else {
      decoded[length++] = bytes[at] ?? 0;
    }
  }
  return decoded.subarray(0, length);
}
