// Defines the headers of responses. They are the same on every server, so that clients and caches can rely on them.

export type Headers = Readonly<Record<string, string>>;

export interface HeaderRules {
  /** Headers of every response, including errors. */
  readonly common: Headers;
  readonly response: Headers;
  readonly error: Headers;
  /** Headers of a response with the source or the interface of a contract. */
  readonly contract: Headers;
  /** Headers of images and documents. The content type is missing, since it depends on the file. */
  readonly image: Headers;
  readonly document: Headers;
  /** Headers of a response to a preflight request. The error for an unsupported method has the same `Allow`. */
  readonly preflight: Headers & { readonly Allow: string };
}

const JSON_TYPE = 'application/json';
/**
 * Caching of responses: after a minute, they must be revalidated. Errors are never stored, since a missing token may
 * appear at any time.
 */
const CACHE_RESPONSE = 'public, max-age=60, must-revalidate';
const CACHE_ERROR = 'no-store';
/**
 * Caching of contracts, which change only in a fork. They are fresh for an hour, then stale for a day while they are
 * revalidated.
 */
const CACHE_CONTRACT = 'public, max-age=3600, stale-while-revalidate=86400';
/** Caching of a file whose name or query is a hash of its content, so that it never changes. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable';
/** Stops files that users open directly from running scripts or loading anything. SVG images may contain scripts. */
const INERT_POLICY = "default-src 'none'; sandbox";
/**
 * Allows pages to load files of the site, and to connect to any node. Swagger UI needs inline styles and data: URIs.
 */
const PAGE_POLICY = [
  "default-src 'self'",
  "connect-src 'self' https: http:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Returns true if compression makes files of a media type smaller. Files of other types are already compressed. */
export function isCompressible(type: string): boolean {
  return !/^(?:image\/|application\/(?:gzip|zstd|vnd\.apache\.parquet)$)/.test(type);
}

export const METHODS = 'GET, HEAD, OPTIONS';

export const HEADER_RULES: HeaderRules = {
  common: {
    'Access-Control-Allow-Origin': '*',
    // Response headers that pages of other origins may read, in addition to those that CORS always allows.
    'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After',
    // Lets pages with `Cross-Origin-Embedder-Policy: require-corp` show images of the site.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
  },
  response: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHE_RESPONSE, 'Content-Security-Policy': INERT_POLICY },
  error: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHE_ERROR, 'Content-Security-Policy': INERT_POLICY },
  contract: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHE_CONTRACT, 'Content-Security-Policy': INERT_POLICY },
  image: { 'Cache-Control': CACHE_FOREVER, 'Content-Security-Policy': INERT_POLICY },
  document: { 'Cache-Control': CACHE_RESPONSE, 'Content-Security-Policy': PAGE_POLICY },
  preflight: {
    Allow: METHODS,
    'Access-Control-Allow-Methods': METHODS,
    // `*` stands for every name but Authorization.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '86400',
  },
};
