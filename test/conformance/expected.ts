// Defines the test cases of the suite. A case is a request with the expected response: a file or an error, and headers.
import type { Ability } from '#hosts/host.ts';
import { fixedPart } from '#layout/response-files.ts';
import { GENERAL_ERRORS, ROUTES } from '#routes/all.ts';
import type { Route, RouteError } from '#routes/route.ts';
import { tokenList } from '#routes/token-list.ts';
import type { TestRequest } from './send.ts';

/** The expected header: its value, a pattern of its value, or undefined if the header must be missing. */
export type HeaderExpectation = string | RegExp | undefined;

export interface Expected {
  readonly status: number;
  /**
   * The expected body: the bytes of a file of the build, members of a JSON object, or a pattern for text (empty text
   * for no body).
   */
  readonly body?: { readonly file: string } | { readonly json: unknown } | { readonly text: RegExp | '' };
  readonly headers?: Readonly<Record<string, HeaderExpectation>>;
}

export interface Case {
  readonly name: string;
  readonly request: TestRequest;
  /** The ability that a server needs to send this response; undefined if all servers have it. */
  readonly needs?: Ability;
  readonly expect: Expected;
}

const COMMON = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};
const INERT = { 'content-security-policy': "default-src 'none'; sandbox" };
const SHORT = { 'cache-control': 'public, max-age=60, must-revalidate' };
/** The headers of files whose names or queries are hashes of their content. */
export const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' };
const CONTRACT = { 'cache-control': 'public, max-age=3600, stale-while-revalidate=86400' };
/** The headers of responses of the API, without the content type. */
export const RESPONSE = { ...SHORT, ...INERT };
const IMAGE = { ...FOREVER, ...INERT };
const DOCUMENT = {
  ...SHORT,
  'content-security-policy':
    "default-src 'self'; connect-src 'self' https: http:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
};
const JSON_TYPE = { 'content-type': 'application/json' };
const METHODS = 'GET, HEAD, OPTIONS';

/** Returns the expected response that sends this file with status 200. */
export function served(file: string, headers: Expected['headers'] = {}): Expected {
  const isContractPath = /^(?:\/variants\/tip\/latest)?\/(?:extended|v2)\//.test(file);
  return {
    status: 200,
    body: { file: file.replace(/^\//, '') },
    headers: { ...COMMON, ...JSON_TYPE, ...RESPONSE, ...(isContractPath && CONTRACT), ...headers },
  };
}

export function refused(status: number, json: unknown): Expected {
  return { status, body: { json }, headers: { ...COMMON, ...JSON_TYPE, ...INERT, 'cache-control': 'no-store' } };
}

export const NOTHING = refusedBy(GENERAL_ERRORS.notFound);
export const NO_TOKEN = refused(404, { error: 'Token not found' });
export const NO_CONTRACT = refused(404, { error: 'Not Found', message: 'cannot find contract by ID' });
export const NO_INTERFACE = refused(404, { error: 'No contract interface data found' });
export const NO_LOCALE = refused(422, { error: 'Locale not found' });
export const NOT_READY = refused(422, { error: 'Token metadata fetch in progress' });
export const TOKEN_ERROR = refused(422, { error: 'Token error' });
export const MALFORMED = refused(400, { error: 'Bad Request' });
export const BAD_PAGE = refusedBy(tokenList.badRequest as RouteError);
export const badRequest = (message: string) => refused(400, { error: 'Bad Request', message });
export const NO_METHOD = {
  ...refusedBy(GENERAL_ERRORS.methodNotAllowed),
  headers: { ...COMMON, allow: METHODS, 'cache-control': 'no-store' },
};
export const PREFLIGHT: Expected = {
  status: 204,
  body: { text: '' },
  headers: {
    ...COMMON,
    allow: METHODS,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': '*, Authorization',
    'access-control-max-age': '86400',
  },
};
/** The origin of the web page that sends the requests, for the Origin header. */
export const ORIGIN = 'https://wallet.example';
export const PREFLIGHT_REQUEST = {
  method: 'OPTIONS',
  headers: {
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'if-none-match,range,x-hiro-product',
  },
};

export function refusedBy({ status, body }: RouteError): Expected {
  return refused(status, body);
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  atom: 'application/atom+xml; charset=utf-8',
  png: 'image/png',
  webp: 'image/webp',
  parquet: 'application/vnd.apache.parquet',
  gz: 'application/gzip',
  zst: 'application/zstd',
};

export function document(file: string, headers: Readonly<Record<string, string>> = DOCUMENT): Expected {
  const type = { 'content-type': TYPES[file.split('.').at(-1) ?? ''] };
  return { status: 200, body: { file }, headers: { ...COMMON, ...headers, ...type } };
}

/**
 * Returns the expected response for a table. The table is already compressed, so the response must not have a content
 * encoding.
 */
export function table(name: string, otherType?: string): Expected {
  const { headers = {}, ...expected } = document(`dump/${name}`, RESPONSE);
  const type = otherType ?? String(headers['content-type']);
  const encoding = type.startsWith('text/') ? {} : { 'content-encoding': undefined };
  return { ...expected, headers: { ...headers, 'content-type': type, ...encoding } };
}

/** Returns the expected response for a part of a seed, which is already compressed. */
export function seedPart(file: string): Expected {
  const { headers, ...expected } = document(file, IMAGE);
  return { ...expected, headers: { ...headers, 'content-encoding': undefined } };
}

export function image(file: string): Expected {
  return document(file, IMAGE);
}

export const get = (
  name: string,
  path: string,
  expect: Expected,
  needs?: Ability,
  more: Omit<TestRequest, 'path'> = {},
): Case => ({
  name,
  request: { path, ...more, headers: { Origin: ORIGIN, ...more.headers } },
  expect,
  ...(needs && { needs }),
});

/** Returns a case that requests the path of a file, and expects this file. */
export const file = (name: string, path: string, needs?: Ability, more?: Omit<TestRequest, 'path'>): Case =>
  get(name, path, served(path), needs, more);

/** The routes whose paths have parameters. */
export const PARAMETER_ROUTES = ROUTES.filter((route) => route.parameters.length > 0);

/** True if another route has the path of this route with one more parameter. */
export function hasLonger(route: Route): boolean {
  const [path, count] = [fixedPart(route), route.parameters.length + 1];
  return PARAMETER_ROUTES.some((other) => fixedPart(other) === path && other.parameters.length === count);
}

export function malformedName({ id }: Route): string {
  return `a malformed path of ${id}`;
}
