// The table of the suite: what is asked, what every server must answer, and what those answer that cannot.

import type { Ability } from '#hosts/host.ts';
import { GENERAL_ERRORS, ROUTES } from '#routes/all.ts';
import { BAD_COLLECTION_REQUEST } from '#routes/list-pages.ts';
import type { Route, RouteError } from '#routes/route.ts';
import { tokenBatch } from '#routes/token-batch.ts';
import { tokenList } from '#routes/token-list.ts';
import { CACHE_FOREVER, HEADER_RULES, type Headers, METHODS } from '#serving/headers.ts';
import { fixedPart } from '#serving/layout.ts';
import { COLLECTOR, PRESSER, SAMPLE } from '../support/sample.ts';
import type { Asked } from './send.ts';
import { CASE_PAIRS, DEPLOYER, EXTRA_TOKENS, IMAGE, LOCALIZED_TOKEN, THUMBNAIL, TYPE_NAMES } from './site.ts';

/** What must be true of a header: its value, a pattern of it, or that there is none. */
export type HeaderExpectation = string | RegExp | undefined;

export interface Expected {
  readonly status: number;
  /** A file of the build whose bytes come, a part of the JSON that comes, a pattern of the text, or the empty text. */
  readonly body?: { readonly file: string } | { readonly json: unknown } | { readonly text: RegExp | '' };
  readonly headers?: Readonly<Record<string, HeaderExpectation>>;
}

export interface Case {
  readonly name: string;
  readonly ask: Asked;
  /** What a server must be able to do for it; without one, all of them answer it. */
  readonly needs?: Ability;
  readonly expect: Expected;
}

export const FT = '/metadata/v1/ft';
/** Of the sample two have no answer; of the tokens beside the numbered ones, one of a pair has one. */
const TOKENS = SAMPLE.tokens - 2 + TYPE_NAMES.length + EXTRA_TOKENS + 1;
const CONTRACT = '/extended/v1/contract';
const INTERFACE = '/v2/contracts/interface';
export const STAMPS = `/metadata/v1/nft/${COLLECTOR}.stamp-nft`;
const SHEETS = `/metadata/v1/sft/${COLLECTOR}.sheet-sft`;
export const PRESS = `${FT}/${PRESSER}.press-token`;
export const UNCONFIRMED = `${INTERFACE}/${DEPLOYER}/unconfirmed`;
export const LOCALIZED = `${FT}/${DEPLOYER}.${LOCALIZED_TOKEN}`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';
const LONG = 'x'.repeat(10_000);

const common = lowerCase(HEADER_RULES.common);

/** A file as an answer of status 200. */
export function answered(file: string, headers: Expected['headers'] = {}): Expected {
  const isOfContract = /^(?:\/variants\/tip\/latest)?\/(?:extended|v2)\//.test(file);
  return {
    status: 200,
    body: { file: file.replace(/^\//, '') },
    headers: { ...common, ...lowerCase(isOfContract ? HEADER_RULES.contract : HEADER_RULES.answer), ...headers },
  };
}

export function refused(status: number, json: unknown): Expected {
  return { status, body: { json }, headers: { ...common, ...lowerCase(HEADER_RULES.error) } };
}

export const NOTHING = refused(404, { error: 'Not Found' });
export const NO_TOKEN = refused(404, { error: 'Token not found' });
export const NO_CONTRACT = refused(404, { error: 'Not Found', message: 'cannot find contract by ID' });
export const NO_INTERFACE = refused(404, { error: 'No contract interface data found' });
export const NO_LOCALE = refused(422, { error: 'Locale not found' });
const BAD_PRINCIPAL = refused(400, {
  error: 'Bad Request',
  message: 'principal must be <contract address>.<contract name>',
});
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const get = (name: string, path: string, expect: Expected, needs?: Ability, more: Omit<Asked, 'path'> = {}): Case => ({
  name,
  ask: { path, ...more },
  expect,
  ...(needs && { needs }),
});

/** Of a path that is answered by the file that is called so. */
const file = (name: string, path: string, needs?: Ability, more?: Omit<Asked, 'path'>): Case =>
  get(name, path, answered(path), needs, more);

const slice = (name: string, query: string, json: unknown, needs: Ability = 'slices'): Case =>
  get(name, `${FT}?${query}`, { ...answered(''), body: { json } }, needs);
const search = (name: string, query: string, json: unknown): Case => slice(name, query, json, 'search');

/** Routes with parameters. */
export const BELOW = ROUTES.filter((route) => route.parameters.length > 0);

/** Whether another route has one more parameter below the same path. */
export function hasLonger(route: Route): boolean {
  const [path, count] = [fixedPart(route), route.parameters.length + 1];
  return BELOW.some((other) => fixedPart(other) === path && other.parameters.length === count);
}

export function malformedName({ id }: Route): string {
  return `a malformed path of ${id}`;
}

export function refusedBy({ status, body }: RouteError): Expected {
  return refused(status, body);
}

const NOT_READY = refused(422, { error: 'Token metadata fetch in progress' });
export const SCRIPT = document('explorer/app.js', 'text/javascript; charset=utf-8');
const VERSIONED = { ...SCRIPT, headers: { ...SCRIPT.headers, 'cache-control': CACHE_FOREVER } };

export const CASES: readonly Case[] = [
  file('a token', PRESS),
  file('a contract', `${CONTRACT}/${PRESSER}.orphan`),
  file('an interface', `${INTERFACE}/${PRESSER}/every-type`),
  file('a status', `/metadata/v1/status/${PRESSER}.press-token`),
  file('a token with a number', `${STAMPS}/1`),
  file('number 0', `${STAMPS}/0`),
  file('the largest number', `${STAMPS}/${2n ** 128n - 1n}`),
  get('a number too large', `${STAMPS}/${2n ** 128n}`, refusedBy(BAD_COLLECTION_REQUEST), 'errors'),
  file('a semi-fungible token', `${SHEETS}/7`),
  get('the tokens of a collection', STAMPS, answered(`${STAMPS}/index.json`), 'slices'),
  file('the tokens of a collection by their file', `${STAMPS}/index.json`),
  file('a page of them by its file', `${STAMPS}/pages/60/60.json`),
  get('a page of them', `${STAMPS}?offset=60`, answered(`${STAMPS}/pages/60/60.json`), 'slices'),
  get('the collections', '/metadata/v1/nft', answered('/metadata/v1/nft/index.json')),
  get(
    'a page of the collections',
    '/metadata/v1/sft?limit=60&offset=60',
    answered('/metadata/v1/sft/pages/60/60.json'),
    'slices',
  ),
  file('the status of a collection', `/metadata/v1/status/${COLLECTOR}.stamp-nft`),
  get('the search of tokens', '/search/tokens', answered('/search/tokens/index.json')),
  get('the search of contracts', '/search/contracts', answered('/search/contracts/index.json')),
  file('its fence by its file', '/search/contracts/index.json'),
  get('the search of functions', '/search/functions', answered('/search/functions/index.json')),
  file('calls of a contract', `/graph/${PRESSER}.office`),
  file('callers of a token', `/graph/${PRESSER}.office-token`),
  get('a contract that nobody calls', `/graph/${MISSING}`, NOTHING, 'errors'),
  file('a page of callers', `/graph/lists/called-by/${PRESSER}.office-token/0`),
  get('no such page of callers', `/graph/lists/called-by/${PRESSER}.office-token/1`, NOTHING, 'errors'),
  get('no such block', `/search/contracts/${'0'.repeat(12)}`, NOTHING, 'errors'),
  get('no such number', `${STAMPS}/99`, NO_TOKEN, 'errors'),
  get('a number of another standard', `${SHEETS.replace('/sft/', '/nft/')}/7`, NO_TOKEN, 'errors'),
  get('a number with a leading zero', `${STAMPS}/01`, refusedBy(BAD_COLLECTION_REQUEST), 'errors'),
  get('what is no number', `${STAMPS}/one`, refusedBy(BAD_COLLECTION_REQUEST), 'errors'),
  get('no such collection', `/metadata/v1/nft/${MISSING}`, NO_TOKEN, 'errors'),
  get('an encoded letter', PRESS.replace('press', '%70ress'), answered(PRESS)),
  ...TYPE_NAMES.flatMap((name) => [
    file(`a token called ${name}`, `${FT}/${DEPLOYER}.${name}`, 'types'),
    file(`a contract called ${name}`, `${CONTRACT}/${DEPLOYER}.${name}`, 'types'),
    file(`an interface called ${name}`, `${INTERFACE}/${DEPLOYER}/${name}`, 'types'),
  ]),
  ...Array.from({ length: CASE_PAIRS }, (_, index) => [`Pair-${index}`, `pAIR-${index}`])
    .flat()
    .map((name) => file(`${name} by its case`, `${CONTRACT}/${DEPLOYER}.${name}`)),

  get('?locale=', `${PRESS}?locale=de`, answered(`/variants/locale/de${PRESS}`), 'variants'),
  get('?locale= of the default', `${PRESS}?locale=en`, answered(PRESS)),
  get(
    '?locale= with a hyphen, behind another',
    `${PRESS}?other=1&locale=pt-BR`,
    answered(`/variants/locale/pt-BR${PRESS}`),
    'variants',
  ),
  get('?locale= of digits', `${LOCALIZED}?locale=419`, answered(`/variants/locale/419${LOCALIZED}`), 'variants'),
  get('?locale= empty', `${PRESS}?locale=`, answered(PRESS)),
  get('?locale= repeated', `${PRESS}?locale=de&locale=pt-BR`, answered(`/variants/locale/de${PRESS}`), 'variants'),
  get('?locale= not declared', `${PRESS}?locale=fr`, NO_LOCALE, 'undeclared'),
  get('?locale= in another case', `${PRESS}?locale=DE`, NO_LOCALE, 'undeclared'),
  get('?locale= that climbs', `${PRESS}?locale=../../x`, NO_LOCALE, 'undeclared'),
  get('?locale= that climbs, encoded', `${PRESS}?locale=..%2F..%2Fx`, NO_LOCALE, 'undeclared'),
  get('?locale= of 10 KB', `${PRESS}?locale=${LONG}`, NO_LOCALE, 'malformed'),
  get('?locale= of a token without any', `${FT}/${PRESSER}.whole-token?locale=en`, NO_LOCALE, 'undeclared'),
  get('?locale= of no token', `${FT}/${MISSING}?locale=de`, NO_TOKEN, 'undeclared'),
  get('?locale= of a pending token', `${FT}/${PRESSER}.pending-token?locale=de`, NOT_READY, 'ownErrors'),
  get('another parameter', `${PRESS}?proof=0`, answered(PRESS)),
  get('a query of 10 KB', `${PRESS}?other=${LONG}`, answered(PRESS), 'malformed'),
  get('?tip=latest', `${INTERFACE}/${PRESSER}/every-type?tip=latest`, answered(`${INTERFACE}/${PRESSER}/every-type`)),
  get(
    '?tip= of a block',
    `${INTERFACE}/${PRESSER}/every-type?tip=0xff`,
    answered(`${INTERFACE}/${PRESSER}/every-type`),
  ),
  get(
    '?tip=latest of an unconfirmed contract',
    `${UNCONFIRMED}?tip=latest`,
    answered(`/variants/tip/latest${UNCONFIRMED}`),
    'variants',
  ),
  get('an unconfirmed contract', UNCONFIRMED, NO_INTERFACE, 'errors'),
  get('?tip=latest of nothing', `${INTERFACE}/${COLLECTOR}/nothing?tip=latest`, NO_INTERFACE, 'errors'),
  file('a variant by its path', `/variants/locale/de${PRESS}`),
  get('a variant that is not there', `/variants/locale/fr${PRESS}`, NOTHING, 'errors'),

  // Of every route, a new one too.
  ...BELOW.flatMap((route) => [
    get(
      malformedName(route),
      `/${fixedPart(route)}${'/!'.repeat(route.parameters.length)}`,
      refusedBy(route.badRequest ?? GENERAL_ERRORS.badRequest),
      'errors',
    ),
    get(
      `a path of ${route.id} with a part too many`,
      `/${fixedPart(route)}${'/a'.repeat(route.parameters.length + 1)}`,
      refusedBy((hasLonger(route) ? route.badRequest : route.notFound) ?? GENERAL_ERRORS.notFound),
      'errors',
    ),
  ]),
  get('no token', `${FT}/${MISSING}`, NO_TOKEN, 'errors'),
  get('no token, but a contract', `${FT}/${PRESSER}.orphan`, NO_TOKEN, 'errors'),
  get('no token, but a collection', `${FT}/${COLLECTOR}.stamp-nft`, NO_TOKEN, 'errors'),
  get('no contract', `${CONTRACT}/${MISSING}`, NO_CONTRACT, 'errors'),
  get('no interface', `${INTERFACE}/${MISSING.replace('.', '/')}`, NO_INTERFACE, 'errors'),
  get('no status', `/metadata/v1/status/${MISSING}`, NO_TOKEN, 'errors'),
  get('no principal', `${FT}/nonsense`, BAD_PRINCIPAL, 'errors'),
  get('no principal, but a folder', `${INTERFACE}/${PRESSER}`, NO_INTERFACE, 'errors'),
  get('a name that begins with a digit', `${FT}/SP000000000000000000002Q6VF78.1st`, BAD_PRINCIPAL, 'errors'),
  get(
    'no contract id',
    `${CONTRACT}/${PRESSER}`,
    refused(400, { error: 'Bad Request', message: 'contract_id must be <contract address>.<contract name>' }),
    'errors',
  ),
  get(
    'no address',
    `${INTERFACE}/0x00/nothing`,
    refused(400, { error: 'Bad Request', message: 'the path must end in <contract address>/<contract name>' }),
    'errors',
  ),
  get('a part too many', `${PRESS}/1`, NO_TOKEN, 'errors'),
  get('a trailing slash', `${PRESS}/`, NO_TOKEN, 'errors'),
  get('a pending token', `${FT}/${PRESSER}.pending-token`, NOT_READY, 'ownErrors'),
  get('a token in error', `${FT}/${PRESSER}.silent-token`, refused(422, { error: 'Token error' }), 'ownErrors'),
  get('nothing', '/nothing', NOTHING, 'errors'),
  get('a folder', '/extended', NOTHING, 'errors'),
  get('an icon', '/favicon.ico', NOTHING, 'errors'),

  get('the list', FT, { ...answered(`${FT}/index.json`), body: { json: { limit: 20, offset: 0, total: TOKENS } } }),
  get('the list with a slash', `${FT}/`, answered(`${FT}/index.json`)),
  file('the list as a file', `${FT}/index.json`),
  file('a page of the list', `${FT}/pages/20/20.json`),
  get('no page of the list', `${FT}/pages/20/100.json`, NOTHING, 'errors'),
  file('the manifest of the list', `${FT}/pages/index.json`),
  file('the manifest of a collection', `${STAMPS}/pages/index.json`),
  file('the names of the list', `${FT}/names.json`),
  file('the token list', '/metadata/v1/tokenlist.json'),
  get(
    'its schema',
    '/metadata/v1/tokenlist.schema.json',
    document('metadata/v1/tokenlist.schema.json', 'application/json'),
  ),
  file('the last changes', '/changes.json'),
  get('the days', '/metadata/v1/days', answered('/metadata/v1/days/index.json')),
  get('the last changes as a feed', '/changes.atom', document('changes.atom', 'application/atom+xml; charset=utf-8')),
  get('the list by its defaults', `${FT}?limit=20&offset=0`, answered(`${FT}/index.json`)),
  ...[
    ['limit=20&offset=40', '20/40'],
    ['offset=40', '20/40'],
    ['limit=60', '60/0'],
    ['offset=60&limit=60', '60/60'],
    ['limit=60&offset=120', '60/120'],
  ].map(([query, page]) =>
    get(`the list by ${query}`, `${FT}?${query}`, answered(`${FT}/pages/${page}.json`), 'slices'),
  ),
  slice('a part of the list', 'limit=3&offset=25', { limit: 3, offset: 25, total: TOKENS, results: [{}, {}, {}] }),
  slice('the most at once', 'limit=60&offset=5', { limit: 60, offset: 5, total: TOKENS }),
  slice('a page of 60 within another', 'limit=60&offset=20', { limit: 60, offset: 20, total: TOKENS }),
  slice('behind the end', 'limit=5&offset=1000', { limit: 5, offset: 1_000, total: TOKENS, results: [] }),
  search('a symbol', 'symbol=press', { total: 1, results: [{ symbol: 'PRESS' }] }),
  search('a symbol in a page', 'limit=60&offset=0&symbol=none', { limit: 60, total: 0, results: [] }),
  search('a part of a name', 'name=EN-4&limit=2', { total: 6, results: [{ name: 'Token token-4' }, {}] }),
  search('a deployer', `address=${COLLECTOR}`, { total: 1, results: [{ name: 'Wrapped Token' }] }),
  search('more of a principal', `address=${PRESSER}.press`, { total: 1, results: [{ symbol: 'PRESS' }] }),
  search('tokens with metadata', 'valid_metadata_only=true&symbol=press', { total: 1, results: [{ symbol: 'PRESS' }] }),
  get('no address to search by', `${FT}?address=nonsense`, refusedBy(tokenList.badRequest as RouteError), 'search'),
  search('the list from its end', 'order=desc&limit=1', { total: TOKENS, results: [{ name: 'Wrapped Token' }] }),
  search('the list by symbol', 'order_by=symbol&limit=1', { total: TOKENS, results: [{ symbol: 'DRIFT' }] }),
  get('a list in no order', `${FT}?order=up`, refusedBy(tokenList.badRequest as RouteError), 'search'),
  get(
    'several tokens',
    `/metadata/v1/search?contract=${PRESSER}.press-token&contract=${COLLECTOR}.stamp-nft:0&contract=${MISSING}`,
    { ...answered(''), body: { json: [{ symbol: 'PRESS' }, { token_number: 0, token_type: 'nft' }] } },
    'batch',
  ),
  get('no token to search for', '/metadata/v1/search', refusedBy(tokenBatch.badRequest), 'batch'),
  ...(
    [
      ['a token without a version', `${PRESS}`, answered(PRESS)],
      ['?locale= without a version', `${PRESS}?locale=de`, answered(`/variants/locale/de${PRESS}`)],
      ['?locale= not declared, without a version', `${PRESS}?locale=fr`, NO_LOCALE],
      ['a pending token without a version', `${FT}/${PRESSER}.pending-token`, NOT_READY],
      ['no token without a version', `${FT}/${MISSING}`, NO_TOKEN],
      ['a number without a version', `${STAMPS}/0`, answered(`${STAMPS}/0`)],
      ['a collection without a version', STAMPS, answered(`${STAMPS}/index.json`)],
      ['the list without a version', FT, answered(`${FT}/index.json`)],
      ['a page without a version', `${FT}?offset=20`, answered(`${FT}/pages/20/20.json`)],
      ['the status without a version', '/metadata/v1/', answered('/metadata/v1/index.json')],
    ] as const
  ).map(([name, path, expect]) => get(name, path.replace('/v1/', '/'), expect, 'unversioned')),
  get('the status', '/metadata/v1/', {
    ...answered('/metadata/v1/index.json'),
    body: { json: { status: 'ready', tokens: { ft: TOKENS } } },
  }),
  get('the hash of the site', '/metadata/v1/site', answered('/metadata/v1/site/index.json')),
  get('the status without a slash', '/metadata/v1', answered('/metadata/v1/index.json')),

  get('the landing page', '/', document('index.html', 'text/html; charset=utf-8')),
  get('the API as a page', '/docs/', document('docs/index.html', 'text/html; charset=utf-8')),
  get('the landing page by its file', '/index.html', document('index.html', 'text/html; charset=utf-8')),
  get('the page of the API by its file', '/docs/index.html', document('docs/index.html', 'text/html; charset=utf-8')),
  get(
    'its script',
    '/docs/swagger-ui-bundle.js',
    document('docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  ),
  get('its style', '/docs/swagger-ui.css', document('docs/swagger-ui.css', 'text/css; charset=utf-8')),
  get('a script of a version', '/explorer/app.js?0123456789ab', VERSIONED, 'versions'),
  get('a script of something else', '/explorer/app.js?v=0123456789ab', SCRIPT),
  get('the API as JSON', '/openapi.json', document('openapi.json', 'application/json')),

  get('an image', `/${IMAGE}`, image(IMAGE, 'image/png')),
  get('a thumbnail', `/${THUMBNAIL}`, image(THUMBNAIL, 'image/webp')),
  get('a table', '/dump/tokens.parquet', table('tokens.parquet', 'application/vnd.apache.parquet'), 'types'),
  get('its lines', '/dump/tokens.ndjson.gz', table('tokens.ndjson.gz', 'application/gzip')),
  get('what tables are there', '/dump/README.md', table('README.md', 'text/markdown; charset=utf-8'), 'types'),
  get('no table', '/dump/nothing.parquet', NOTHING, 'errors'),
  get('no image', `/images/${'cd'.repeat(32)}.png`, NOTHING, 'errors'),

  get('errors/', '/errors/404.json', NOTHING, 'hidden'),
  get('a reason by its file', `/errors/422${FT}/${PRESSER}.pending-token`, NOTHING, 'hidden'),
  get('the bookkeeping', '/.stxpress/record.sqlite', NOTHING, 'hidden'),
  get('serve.json', '/serve.json', NOTHING, 'hidden'),
  get('a dotfile', '/.git/config', NOTHING, 'hidden'),

  get('a path in another case', '/OPENAPI.JSON', NOTHING, 'errors'),
  get('a list in another case', '/metadata/v1/FT', NOTHING, 'errors'),
  get('a list with a space behind it', `${FT}%20`, NOTHING, 'errors'),
  get('a list with a dot behind it', `${FT}.`, NOTHING, 'errors'),
  get('two slashes', `/${PRESS}`, NOTHING, 'malformed'),
  get('two slashes within', PRESS.replace('/ft/', '/ft//'), NOTHING, 'malformed'),
  get('dots above the root', '/../../etc/passwd', NOTHING, 'malformed'),
  get('encoded dots above the root', '/%2e%2e/%2e%2e/index.sqlite', NOTHING, 'malformed'),
  get('dots to errors/', `/variants/%2e%2e/errors/404.json`, NOTHING, 'hidden'),
  get('doubly encoded dots', `${FT}/%252e%252e%252fx`, BAD_PRINCIPAL, 'errors'),
  get('a doubly encoded letter', PRESS.replace('press', '%2570ress'), BAD_PRINCIPAL, 'errors'),
  get('a NUL', `${FT}/%00`, refused(400, { error: 'Bad Request' }), 'malformed'),
  get('half an escape', '/%E0%A4%A', refused(400, { error: 'Bad Request' }), 'malformed'),
  get('a path of 10 KB', `/${LONG}`, NOTHING, 'malformed'),

  get(
    '?locale= with an encoded hyphen',
    `${PRESS}?locale=pt%2DBR`,
    answered(`/variants/locale/pt-BR${PRESS}`),
    'variants',
  ),
  get('an encoded parameter', `${PRESS}?l%6fcale=de`, answered(`/variants/locale/de${PRESS}`), 'variants'),
  get('a parameter in another case', `${PRESS}?Locale=de`, answered(PRESS), 'variants'),
  get('the list with a parameter of tokens', `${FT}?locale=de`, answered(`${FT}/index.json`)),
  get('a page with a parameter of tokens', `${FT}/pages/20/20.json?locale=de`, answered(`${FT}/pages/20/20.json`)),
  get('a page with a limit', `${FT}/pages/20/20.json?limit=5`, answered(`${FT}/pages/20/20.json`)),
  get('the list as a file, with an offset', `${FT}/index.json?offset=20`, answered(`${FT}/index.json`)),
  get(
    'the one of a pair that answers nothing',
    `${FT}/${DEPLOYER}.Mute`,
    refused(422, { error: 'Token error' }),
    'ownErrors',
  ),
  file('the other one', `${FT}/${DEPLOYER}.mUTE`),
  get('an address alone', `${FT}/${DEPLOYER}`, BAD_PRINCIPAL, 'errors'),
  get('a variant with a trailing slash', `/variants/locale/de${PRESS}/`, NOTHING, 'errors'),
  get('an image with a trailing slash', `/${IMAGE}/`, NOTHING, 'errors'),
  ...['_redirects', '_headers', 'vercel.json', '404.html'].map((name) =>
    get(`/${name}`, `/${name}`, NOTHING, 'hidden'),
  ),
  get('.htaccess', '/.htaccess', NOTHING, 'hidden'),
  get('a path that looks like another host', '/%5cevil.example/404.json/', NOTHING, 'malformed'),
  get('encoded slashes', PRESS.replaceAll('/', '%2F').replace('%2F', '/'), NOTHING, 'malformed'),
  file('a range', PRESS, 'malformed', { headers: { Range: 'bytes=0-3' } }),
  file('a range behind the end', PRESS, 'malformed', { headers: { Range: 'bytes=999999-' } }),
  get('an error with the tag of anything', `${FT}/${MISSING}`, NO_TOKEN, 'errors', {
    headers: { 'If-None-Match': '*' },
  }),
  get('HEAD', PRESS, { ...answered(PRESS), body: { text: '' } }, undefined, { method: 'HEAD' }),
  get('HEAD of nothing', `${FT}/${MISSING}`, { ...NO_TOKEN, body: { text: '' } }, 'errors', { method: 'HEAD' }),
  ...['POST', 'PUT', 'DELETE', 'PATCH'].map((method) =>
    get(
      method,
      PRESS,
      {
        ...refused(405, { error: 'Method Not Allowed' }),
        headers: { ...common, allow: METHODS, 'cache-control': 'no-store' },
      },
      'methods',
      { method },
    ),
  ),
  get(
    'a preflight',
    PRESS,
    { status: 204, body: { text: '' }, headers: { ...common, ...lowerCase(HEADER_RULES.preflight) } },
    'preflight',
    {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://wallet.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-hiro-product',
      },
    },
  ),
  get(
    'compression',
    PRESS,
    answered(PRESS, { 'content-encoding': /^(?:gzip|br|zstd)$/, vary: /accept-encoding/i }),
    'compression',
    { headers: { 'Accept-Encoding': 'gzip, br' } },
  ),
];

function document(file: string, type: string, headers: Headers = HEADER_RULES.document): Expected {
  return { status: 200, body: { file }, headers: { ...common, ...lowerCase(headers), 'content-type': type } };
}

/** Compressed already: it comes as it is. */
export function table(name: string, type: string): Expected {
  const { headers, ...expected } = document(`dump/${name}`, type, HEADER_RULES.answer);
  return {
    ...expected,
    headers: { ...headers, ...(type.startsWith('text/') ? {} : { 'content-encoding': undefined }) },
  };
}

function image(file: string, type: string): Expected {
  return document(file, type, HEADER_RULES.image);
}
