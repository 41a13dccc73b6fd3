// Checks a URI from a chain or a document. Returns the bytes that it contains, or that its content is remote.
import { type Failure, fail } from '#model/failure.ts';
import { quote } from '#text/quote.ts';
import { findContent } from './find-content.ts';
import { readDataUri } from './read-data-uri.ts';

type ResolvedUri = { readonly kind: 'inline'; readonly bytes: Uint8Array } | { readonly kind: 'remote' };

/** Matches the scheme of a URI (RFC 3986, section 3.1). */
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const REMOTE_SCHEMES: readonly string[] = ['http', 'https', 'ipfs', 'ipns', 'dweb', 'ar'];

export function resolveUri(uri: string): ResolvedUri | Failure {
  const trimmed = uri.trim();
  if (trimmed === '') return fail('empty-uri');
  const scheme = trimmed.match(SCHEME)?.[1]?.toLowerCase();
  if (scheme !== 'data' && findContent(trimmed)?.isCid) return { kind: 'remote' };
  if (scheme === undefined) return fail('not-a-uri', `${quote(trimmed)} is not a URI.`);
  if (scheme === 'data') {
    const bytes = readDataUri(trimmed);
    return bytes instanceof Uint8Array ? { kind: 'inline', bytes } : bytes;
  }
  if (!REMOTE_SCHEMES.includes(scheme))
    return fail('unsupported-scheme', `The scheme of ${quote(trimmed)} is not supported.`);
  // `canParse` accepts some hosts that the parser rejects, and clients cannot fetch such URLs.
  const url = URL.parse(trimmed);
  if (url === null) return fail('not-a-uri', `${quote(trimmed)} is not a URI.`);
  if (/[{}$]/.test(url.host)) return fail('not-a-uri', `${quote(trimmed)} has no valid host.`);
  return { kind: 'remote' };
}
