// Lists the headers of the answers, the same on every server, on which clients and caches may rely.

export type Headers = Readonly<Record<string, string>>;

export interface HeaderRules {
  /** On every answer, errors included. */
  readonly common: Headers;
  readonly answer: Headers;
  readonly error: Headers;
  /** On what is said of a contract. */
  readonly contract: Headers;
  /** Without the type, as is the next. */
  readonly image: Headers;
  readonly document: Headers;
  /** On the answer to a preflight request. Its `Allow` is on one to another method, too. */
  readonly preflight: Headers & { readonly Allow: string };
}

const JSON_TYPE = 'application/json';
/** Answers are revalidated after a minute; errors are never stored, since a token's answer may come any moment. */
const CACHE_ANSWER = 'public, max-age=60, must-revalidate';
const CACHE_ERROR = 'no-store';
/** A contract changes by a fork alone: its answer is used for an hour, then for a day while it is asked again. */
const CACHE_CONTRACT = 'public, max-age=3600, stale-while-revalidate=86400';
/** For a file that is named for the hash of its bytes. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable';
/** A file that is opened by itself, such as an image with a script in it, runs nothing and loads nothing. */
const INERT_POLICY = "default-src 'none'; sandbox";
/** Pages load what is beside them, and ask a node that a reader names; the API's sets styles, and draws data: URIs. */
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

/** False for files that are compressed already. */
export function isCompressible(type: string): boolean {
  return !/^(?:image\/|application\/(?:gzip|vnd\.apache\.parquet)$)/.test(type);
}

export const METHODS = 'GET, HEAD, OPTIONS';

export const HEADER_RULES: HeaderRules = {
  common: {
    'Access-Control-Allow-Origin': '*',
    // Beside what a page of another site may read anyway.
    'Access-Control-Expose-Headers': 'ETag',
    'X-Content-Type-Options': 'nosniff',
  },
  answer: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHE_ANSWER, 'Content-Security-Policy': INERT_POLICY },
  error: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHE_ERROR, 'Content-Security-Policy': INERT_POLICY },
  contract: { 'Content-Type': JSON_TYPE, 'Cache-Control': CACHE_CONTRACT, 'Content-Security-Policy': INERT_POLICY },
  image: { 'Cache-Control': CACHE_FOREVER, 'Content-Security-Policy': INERT_POLICY },
  document: { 'Cache-Control': CACHE_ANSWER, 'Content-Security-Policy': PAGE_POLICY },
  preflight: {
    Allow: METHODS,
    'Access-Control-Allow-Methods': METHODS,
    // A star covers every name but this one.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '86400',
  },
};
