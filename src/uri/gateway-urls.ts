// Maps a URI to the URLs to fetch it from. ipfs, ipns and ar URIs and URLs of public gateways use the configured
// gateways.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { findContent, isPublicGateway } from './find-content.ts';

export interface Gateways {
  /** Base URLs without a trailing slash, in the order to try them. */
  readonly ipfs: readonly string[];
  readonly arweave: readonly string[];
}

interface FetchableUrl {
  readonly url: string;
  /** Identifies the content at a configured gateway; undefined for any other host. */
  readonly content?: string;
}

/** Matches a CID, or an IPNS name or host, without characters that could leave the gateway's path. */
const CONTENT_ID = /^(?!\.+$)[A-Za-z0-9_.-]+$/;
/** Matches a SHA-256 in base64url. */
const ARWEAVE_ID = /^[A-Za-z0-9_-]{43}$/;
/** Matches the text before an Arweave id, even in a mangled URI: `ar://https://arweave.net/ID`. */
const BEFORE_ARWEAVE_ID = /^(?:ar:|https?:|(?:www\.)?arweave\.net(?=\/)|[/\\\s])*/i;

/** Returns URLs in the order to try them. The URI must have passed `resolveUri`. */
export function gatewayUrls(uri: string, gateways: Gateways): readonly FetchableUrl[] | Failure {
  const trimmed = uri.trim();
  if (/^ar:/i.test(trimmed)) {
    const [id, path] = splitId(trimmed.replace(BEFORE_ARWEAVE_ID, ''));
    if (!ARWEAVE_ID.test(id)) return fail('not-a-uri', 'The ar: URI has no id of 43 characters.');
    return through(gateways.arweave, id, path);
  }
  const url = /^https?:/i.test(trimmed) ? URL.parse(trimmed) : null;
  const isOtherHost = url !== null && !isPublicGateway(url.hostname);
  const content = findContent(trimmed);
  if (content === undefined || (isOtherHost && !content.isCid))
    return url === null ? fail('not-a-uri') : [{ url: url.href }];
  const urls = through(gateways.ipfs, `${content.namespace}/${content.id}`, content.path);
  if (!isOtherHost) return urls;
  // Gateways may still have the content after its host disappeared.
  return [{ url: url.href }, ...(isFailure(urls) ? [] : urls)];
}

function through(bases: readonly string[], content: string, path: string): readonly FetchableUrl[] | Failure {
  if (!CONTENT_ID.test(content.slice(content.indexOf('/') + 1)))
    return fail('not-a-uri', 'The URI has no valid content id.');
  const fetchable = bases.map((base): FetchableUrl | undefined => {
    const root = `${base}/${content}`;
    const url = urlInside(root, encodePath(path));
    return url === undefined ? undefined : { url, content: new URL(root).href };
  });
  return fetchable.every((urls) => urls !== undefined)
    ? fetchable
    : fail('not-a-uri', 'The path of the URI leaves its content.');
}

/**
 * Encodes `#` and a stray `%` in a path. They belong to the name of a file, since a path in a content has no fragment.
 */
function encodePath(path: string): string {
  const [, name = '', query = ''] = /^([^?]*)([^#]*)/.exec(path.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')) ?? [];
  // Without a slash after the id, the path does not name a file.
  const isFile = /^[/\\]/.test(name);
  return (isFile ? name.replaceAll('#', '%23') : name.replace(/#.*/s, '')) + query;
}

/**
 * Returns the URL of a path below the root; undefined if the path leaves the root. Checks the parsed URL, in which dots
 * are decoded and backslashes converted.
 */
function urlInside(root: string, path: string): string | undefined {
  const url = URL.parse(root + path);
  const content = URL.parse(root);
  if (url === null || content === null) return undefined;
  const decoded = url.pathname.replaceAll(/%2f|%5c/gi, '/').replaceAll(/%2e/gi, '.');
  if (decoded.split('/').some((step) => step === '..')) return undefined;
  const isInside = url.pathname === content.pathname || url.pathname.startsWith(`${content.pathname}/`);
  return isInside ? url.href : undefined;
}

function splitId(text: string): readonly [id: string, path: string] {
  const [id = ''] = text.split(/[/?#\\]/, 1);
  return [id, text.slice(id.length)];
}
