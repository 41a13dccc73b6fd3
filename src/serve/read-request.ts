// Reads the method, path and query of a request, and the ETags that its client has.
import type { IncomingMessage } from 'node:http';
import type { SiteRequest } from '#serving/handle-request.ts';

const MALFORMED = { pathname: '/%', searchParams: new URLSearchParams() };

/**
 * Reads a request. Its target is a path, or a URL as in a request to a proxy. Any other target gets the path of a
 * malformed request.
 */
export function readRequest(request: IncomingMessage): SiteRequest {
  const { method = 'GET', url = '', headers } = request;
  const target = url.startsWith('/') ? `http://host${url}` : url;
  const isMalformed = !hasOneHost(request) || !/^https?:\/\//i.test(target);
  const { pathname, searchParams: query } = (isMalformed ? null : URL.parse(target)) ?? MALFORMED;
  return { method, pathname, query, tags: headers['if-none-match'] };
}

/**
 * Returns true if the request has exactly one header Host. With two, this server and another one in front could each
 * use a different one (RFC 9112, 3.2).
 */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
