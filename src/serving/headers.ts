// Defines the headers of responses. Every server sends the same headers, so that clients and caches can rely on them.

export type Headers = Readonly<Record<string, string>>;

export interface HeaderRules {
  /** Headers of every response, including errors. */
  readonly common: Headers;
  readonly response: Headers;
  readonly error: Headers;
  /** Headers of the source and interface of a contract. */
  readonly contract: Headers;
  /** Headers of images, without the content type. `document` has no content type either. */
  readonly image: Headers;
  readonly document: Headers;
  /** Headers of a response to a preflight request. The error for an unsupported method has its `Allow`, too. */
  readonly preflight: Headers & { readonly Allow: string };
}

const JSON_TYPE = 'application/json';
/** Responses are revalidated after a minute. Errors are never stored, since a token may be available at any time. */
const CACHE_RESPONSE = 'public, max-age=60, must-revalidate';
const CACHE_ERROR = 'no-store';
/** Only a fork changes a contract: fresh for an hour, then stale for a day while it is revalidated. */
const CACHE_CONTRACT = 'public, max-age=3600, stale-while-revalidate=86400';
/** The caching of a file whose name or query is a hash of its content. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable';
/** Prevents files that are opened directly, such as SVG images with scripts, from running or loading anything. */
const INERT_POLICY = "default-src 'none'; sandbox";
/** Lets pages load files of the site and connect to any node. Swagger UI needs inline styles and data: URIs. */
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

/** Returns false for types whose files are already compressed. */
export function isCompressible(type: string): boolean {
  return !/^(?:image\/|application\/(?:gzip|vnd\.apache\.parquet)$)/.test(type);
}

export const METHODS = 'GET, HEAD, OPTIONS';

export const HEADER_RULES: HeaderRules = {
  common: {
    'Access-Control-Allow-Origin': '*',
    // Response headers that pages of other origins may read in addition to the CORS-safelisted ones.
    'Access-Control-Expose-Headers': 'ETag',
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
    // `*` includes every name except for Authorization.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '86400',
  },
};
