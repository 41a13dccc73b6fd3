// Maps a URI to the URLs it can be fetched from: ipfs, ipns, ar and public gateway URLs go through gateways.
import { type Failure, fail } from '#model/failure.ts';

export interface Gateways {
  /** Base URLs without a trailing slash, in the order to try them. */
  readonly ipfs: readonly string[];
  readonly arweave: readonly string[];
}

interface FetchableUrl {
  readonly url: string;
  /** Identifies the content at a gateway that the operator configured; undefined for a third-party host. */
  readonly content?: string;
}

/** Gateways that serve `/ipfs/<cid>/<path>`. */
const PATH_GATEWAYS: ReadonlySet<string> = new Set([
  'ipfs.io',
  'dweb.link',
  'gateway.pinata.cloud',
  'cloudflare-ipfs.com',
  'infura-ipfs.io',
  'nftstorage.link',
  'w3s.link',
]);
/** Gateways that also serve `<cid>.ipfs.<gateway>/<path>`. */
const SUBDOMAIN_GATEWAY = /^([a-z0-9-]+)\.(ipfs|ipns)\.(dweb\.link|nftstorage\.link|w3s\.link)$/;
/** A CID, or an IPNS name or host. Excludes anything that could escape the gateway's path. */
const CONTENT_ID = /^(?!\.+$)[A-Za-z0-9_.-]+$/;
/** A SHA-256 in base64url. */
const ARWEAVE_ID = /^[A-Za-z0-9_-]{43}$/;

/** URLs in the order to try them. The URI must have passed `resolveUri`. */
export function gatewayUrls(uri: string, gateways: Gateways): readonly FetchableUrl[] | Failure {
  const trimmed = uri.trim();
  const [, scheme = '', rest = ''] = /^([A-Za-z]+):\/*(.*)$/s.exec(trimmed) ?? [];
  switch (scheme.toLowerCase()) {
    case 'ipfs':
      return through(gateways.ipfs, 'ipfs/', rest.replace(/^ipfs\//, ''));
    case 'ipns':
      return through(gateways.ipfs, 'ipns/', rest);
    case 'ar':
      if (!ARWEAVE_ID.test(contentId(rest))) return fail('not-a-uri', 'The ar: URI has no id of 43 characters.');
      return through(gateways.arweave, '', rest);
  }
  const url = URL.parse(trimmed);
  if (url === null) return fail('not-a-uri');
  const subdomain = SUBDOMAIN_GATEWAY.exec(url.hostname);
  if (subdomain !== null) {
    return through(gateways.ipfs, `${subdomain[2]}/`, `${subdomain[1]}${url.pathname}${url.search}`);
  }
  const path = /^\/(ipfs|ipns)\/(.+)$/.exec(url.pathname);
  if (path !== null && PATH_GATEWAYS.has(url.host))
    return through(gateways.ipfs, `${path[1]}/`, `${path[2]}${url.search}`);
  return [{ url: url.href }];
}

function through(bases: readonly string[], prefix: string, rest: string): readonly FetchableUrl[] | Failure {
  const id = contentId(rest);
  if (!CONTENT_ID.test(id)) return fail('not-a-uri', 'The URI has no valid content id.');
  const urls = bases.map((base) => {
    // A URL parser decodes dots and turns backslashes around: checks that the final URL has not escaped the path.
    const url = URL.parse(`${base}/${prefix}${rest.replace(/#.*$/s, '')}`);
    const content = URL.parse(`${base}/${prefix}${id}`);
    if (url === null || content === null || url.origin !== content.origin || /%2f|%5c/i.test(url.pathname))
      return undefined;
    const isInside = url.pathname === content.pathname || url.pathname.startsWith(`${content.pathname}/`);
    return isInside ? { url: url.href, content: content.href } : undefined;
  });
  return urls.every((url) => url !== undefined) ? urls : fail('not-a-uri', 'The path of the URI leaves its content.');
}

function contentId(rest: string): string {
  const [id = ''] = rest.split(/[/?#\\]/, 1);
  return id;
}
