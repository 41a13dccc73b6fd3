// Defines the requests of the suite, each with the response that every server must send.
import { graphBlockOf } from '#layout/data-files.ts';
import { fixedPart } from '#layout/response-files.ts';
import { GENERAL_ERRORS, ROUTES } from '#routes/all.ts';
import { contractGraph } from '#routes/contract-graph.ts';
import { BAD_COLLECTION_REQUEST } from '#routes/list-pages.ts';
import type { Route, RouteError } from '#routes/route.ts';
import { COLLECTOR, PRESSER } from '../support/sample.ts';
import type { Case } from './expected.ts';
import * as expected from './expected.ts';
import { GERMAN, LIST, LIST_CASES, MISSING, page, STATUS } from './list-requests.ts';
import {
  CASE_NAMES,
  DEPLOYER,
  IMAGE,
  PATHS,
  SEED_MANIFEST_PATH,
  SEED_PART,
  THUMBNAIL,
  TOKENS,
  TYPE_NAMES,
} from './site.ts';

const { CONTRACT, EVERY_TYPE, FT, INTERFACE, LOCALIZED, NFT, PRESS, SFT, SHEETS, STAMPS, UNCONFIRMED } = PATHS;
const { served, badRequest, document, image, refusedBy, seedPart, table } = expected;
const { MALFORMED, NO_CONTRACT, NO_INTERFACE, NO_LOCALE, NO_METHOD, NO_TOKEN, NOT_READY, NOTHING } = expected;
const { PARAMETER_ROUTES, file, get, hasLonger, malformedName, PREFLIGHT, PREFLIGHT_REQUEST, TOKEN_ERROR } = expected;

const LONG = 'x'.repeat(10_000);
const PORTUGUESE = served(`/variants/locale/pt-BR${PRESS}`);
const AT_LATEST = served(`/variants/tip/latest${UNCONFIRMED}`);
const BAD_PRINCIPAL = badRequest('principal must be <contract address>.<contract name>');
const BAD_ID = badRequest('contract_id must be <contract address>.<contract name>');
const BAD_PATH = badRequest('the path must end in <contract address>/<contract name>');
export const SCRIPT = document('explorer/app.js');
export const VERSIONED = { ...SCRIPT, headers: { ...SCRIPT.headers, ...expected.FOREVER } };
const COMPRESSED = served(PRESS, { 'content-encoding': /^(?:gzip|br|zstd)$/, vary: /accept-encoding/i });
const ANY_TAG = { headers: { 'If-None-Match': '*' } };

const pathWith = (route: Route, part: string) => `/${fixedPart(route)}${part.repeat(route.parameters.length)}`;
const extraPart = (route: Route) =>
  hasLonger(route) ? refusedBy(route.badRequest ?? GENERAL_ERRORS.badRequest) : NOTHING;
const notFoundOf = (path: string) => refusedBy(ROUTES.find((route) => route.path === path)?.notFound as RouteError);
/** Paths of the public APIs that the site does not serve. */
const UNSERVED = [
  `${CONTRACT}/${PRESSER}.press-token/events`,
  '/extended/v1/contract',
  '/extended/v1/tx',
  '/extended/v2/blocks/1',
  `/extended/v1/address/${PRESSER}/balances`,
  '/v2/info',
  `/v2/contracts/source/${PRESSER}/press-token`,
  '/v3/blocks/1',
  '/metadata/v1/nothing',
  `${PRESS}/holders`,
  `${STAMPS}/1/history`,
];

export const CASES: readonly Case[] = [
  file('a token', PRESS),
  { name: 'a token without an Origin', request: { path: PRESS }, expect: served(PRESS), needs: 'headers' },
  file('a contract', `${CONTRACT}/${PRESSER}.orphan`),
  file('an interface', EVERY_TYPE),
  file('a status', `/metadata/v1/status/${PRESSER}.press-token`),
  file('a token with a number', `${STAMPS}/1`),
  file('number 0', `${STAMPS}/0`),
  file('the largest number', `${STAMPS}/${2n ** 128n - 1n}`),
  get('a number too large', `${STAMPS}/${2n ** 128n}`, refusedBy(BAD_COLLECTION_REQUEST), 'errors'),
  file('a semi-fungible token', `${SHEETS}/7`),
  get('the tokens of a collection', STAMPS, served(`${STAMPS}/index.json`), 'slices'),
  file('the tokens of a collection by their file', `${STAMPS}/index.json`),
  file('a page of a collection by its file', `${STAMPS}/pages/60/60.json`),
  get('a page of a collection', `${STAMPS}?offset=60`, page('60/60', STAMPS), 'slices'),
  get('the collections', NFT, served(`${NFT}/index.json`)),
  get('a page of the collections', `${SFT}?limit=60&offset=60`, page('60/60', SFT), 'slices'),
  file('the status of a collection', `/metadata/v1/status/${COLLECTOR}.stamp-nft`),
  get('the search of tokens', '/search/tokens', served('/search/tokens/index.json')),
  get('the search of collections', '/search/collections', served('/search/collections/index.json')),
  get('the search of contracts', '/search/contracts', served('/search/contracts/index.json')),
  file('the block index of contracts by its file', '/search/contracts/index.json'),
  file('calls of a contract', `/graph/${graphBlockOf(`${PRESSER}.office`)}.json`),
  get('a block without contracts', '/graph/000.json', refusedBy(contractGraph.notFound as RouteError), 'errors'),
  get(
    'calls by a contract id',
    `/graph/${PRESSER}.office`,
    refusedBy(contractGraph.badRequest as RouteError),
    'errors',
  ),
  get(
    'a missing search block',
    `/search/contracts/${'0'.repeat(12)}`,
    notFoundOf('search/contracts/{block}'),
    'errors',
  ),
  get('a missing number', `${STAMPS}/99`, NO_TOKEN, 'errors'),
  get('a number of another standard', `${SHEETS.replace('/sft/', '/nft/')}/7`, NO_TOKEN, 'errors'),
  get('a number with a leading zero', `${STAMPS}/01`, refusedBy(BAD_COLLECTION_REQUEST), 'errors'),
  get('a word for a number', `${STAMPS}/one`, refusedBy(BAD_COLLECTION_REQUEST), 'errors'),
  get('a missing collection', `/metadata/v1/nft/${MISSING}`, NO_TOKEN, 'errors'),
  get('an encoded letter', PRESS.replace('press', '%70ress'), served(PRESS)),
  ...TYPE_NAMES.flatMap((name) => [
    file(`a token called ${name}`, `${FT}/${DEPLOYER}.${name}`, 'types'),
    file(`a contract called ${name}`, `${CONTRACT}/${DEPLOYER}.${name}`, 'types'),
    file(`an interface called ${name}`, `${INTERFACE}/${DEPLOYER}/${name}`, 'types'),
  ]),
  ...CASE_NAMES.map((name) => file(`${name} by its case`, `${CONTRACT}/${DEPLOYER}.${name}`)),

  get('?locale=', `${PRESS}?locale=de`, GERMAN, 'variants'),
  get('?locale= of the default', `${PRESS}?locale=en`, served(PRESS)),
  get('?locale= with a hyphen, after another', `${PRESS}?other=1&locale=pt-BR`, PORTUGUESE, 'variants'),
  get('?locale= of digits', `${LOCALIZED}?locale=419`, served(`/variants/locale/419${LOCALIZED}`), 'variants'),
  get('?locale= empty', `${PRESS}?locale=`, served(PRESS)),
  get('?locale= repeated', `${PRESS}?locale=de&locale=pt-BR`, GERMAN, 'variants'),
  get('?locale= not declared', `${PRESS}?locale=fr`, NO_LOCALE, 'undeclared'),
  get('?locale= in another case', `${PRESS}?locale=DE`, NO_LOCALE, 'undeclared'),
  get('?locale= that climbs', `${PRESS}?locale=../../x`, NO_LOCALE, 'undeclared'),
  get('?locale= that climbs, encoded', `${PRESS}?locale=..%2F..%2Fx`, NO_LOCALE, 'undeclared'),
  get('?locale= of 10 KB', `${PRESS}?locale=${LONG}`, NO_LOCALE, 'malformed'),
  get('?locale= of a token without locales', `${FT}/${PRESSER}.whole-token?locale=en`, NO_LOCALE, 'undeclared'),
  get('?locale= of a missing token', `${FT}/${MISSING}?locale=de`, NO_TOKEN, 'undeclared'),
  get('?locale= of a pending token', `${FT}/${PRESSER}.pending-token?locale=de`, NOT_READY, 'tokenErrors'),
  get('another parameter', `${PRESS}?proof=0`, served(PRESS)),
  get('a query of 10 KB', `${PRESS}?other=${LONG}`, served(PRESS), 'malformed'),
  get('?tip=latest', `${EVERY_TYPE}?tip=latest`, served(EVERY_TYPE)),
  get('?tip= of a block', `${EVERY_TYPE}?tip=0xff`, served(EVERY_TYPE)),
  get('?tip=latest of an unconfirmed contract', `${UNCONFIRMED}?tip=latest`, AT_LATEST, 'variants'),
  get('an unconfirmed contract', UNCONFIRMED, NO_INTERFACE, 'errors'),
  get('?tip=latest of a missing contract', `${INTERFACE}/${COLLECTOR}/nothing?tip=latest`, NO_INTERFACE, 'errors'),
  file('a variant by its path', `/variants/locale/de${PRESS}`),
  get('a missing variant', `/variants/locale/fr${PRESS}`, NOTHING, 'errors'),

  // Adds two requests for every route with parameters, so that future routes are covered too.
  ...PARAMETER_ROUTES.flatMap((route) => [
    get(
      malformedName(route),
      pathWith(route, '/!'),
      refusedBy(route.badRequest ?? GENERAL_ERRORS.badRequest),
      'errors',
    ),
    get(`a path of ${route.id} with an extra segment`, `${pathWith(route, '/a')}/a`, extraPart(route), 'errors'),
  ]),
  ...UNSERVED.map((path) => get(`a path that is not served: ${path}`, path, NOTHING, 'errors')),
  get('a missing token', `${FT}/${MISSING}`, NO_TOKEN, 'errors'),
  get('a contract that is not a token', `${FT}/${PRESSER}.orphan`, NO_TOKEN, 'errors'),
  get('a collection instead of a token', `${FT}/${COLLECTOR}.stamp-nft`, NO_TOKEN, 'errors'),
  get('a missing contract', `${CONTRACT}/${MISSING}`, NO_CONTRACT, 'errors'),
  get('a missing interface', `${INTERFACE}/${MISSING.replace('.', '/')}`, NO_INTERFACE, 'errors'),
  get('a missing status', `/metadata/v1/status/${MISSING}`, NO_TOKEN, 'errors'),
  get('an invalid principal', `${FT}/nonsense`, BAD_PRINCIPAL, 'errors'),
  get('a folder instead of a principal', `${INTERFACE}/${PRESSER}`, NOTHING, 'errors'),
  get('a name that begins with a digit', `${FT}/SP000000000000000000002Q6VF78.1st`, BAD_PRINCIPAL, 'errors'),
  get('an invalid contract id', `${CONTRACT}/${PRESSER}`, BAD_ID, 'errors'),
  get('an invalid address', `${INTERFACE}/0x00/nothing`, BAD_PATH, 'errors'),
  get('an extra path segment', `${PRESS}/1`, NOTHING, 'errors'),
  get('a trailing slash', `${PRESS}/`, NOTHING, 'errors'),
  get('a pending token', `${FT}/${PRESSER}.pending-token`, NOT_READY, 'tokenErrors'),
  get('a token in error', `${FT}/${PRESSER}.silent-token`, TOKEN_ERROR, 'tokenErrors'),
  get('an unknown path', '/nothing', NOTHING, 'errors'),
  get('a folder', '/extended', NOTHING, 'errors'),
  get('an icon', '/favicon.ico', NOTHING, 'errors'),

  ...LIST_CASES,
  get('the status', '/metadata/v1/', { ...STATUS, body: { json: { status: 'ready', tokens: { ft: TOKENS } } } }),
  get('the status without a slash', '/metadata/v1', STATUS),

  get('the landing page', '/', document('index.html')),
  get('the API as a page', '/docs/', document('docs/index.html')),
  get('the landing page by its file', '/index.html', document('index.html')),
  get('the page of the API by its file', '/docs/index.html', document('docs/index.html')),
  get('the script of the API page', '/docs/swagger-ui-bundle.js', document('docs/swagger-ui-bundle.js')),
  get('the style of the API page', '/docs/swagger-ui.css', document('docs/swagger-ui.css')),
  get('a script of a version', '/explorer/app.js?0123456789ab', VERSIONED, 'versions'),
  get('a script of something else', '/explorer/app.js?v=0123456789ab', SCRIPT, 'versions'),
  get('the picture of link previews', '/explorer/preview.png', document('explorer/preview.png')),
  get('the API as JSON', '/openapi.json', document('openapi.json')),

  get('an image', `/${IMAGE}`, image(IMAGE)),
  get('a thumbnail', `/${THUMBNAIL}`, image(THUMBNAIL)),
  get('a table', '/dump/tokens.parquet', table('tokens.parquet'), 'types'),
  get('a table as lines', '/dump/tokens.ndjson.gz', table('tokens.ndjson.gz')),
  get('a missing table', '/dump/nothing.parquet', NOTHING, 'errors'),
  get('the manifest of a seed', `/${SEED_MANIFEST_PATH}`, document(SEED_MANIFEST_PATH, expected.RESPONSE)),
  get('a part of a seed', `/${SEED_PART}`, seedPart(SEED_PART), 'types'),
  get('a missing part of a seed', `/${SEED_PART.replace('0-7', '8-9')}`, NOTHING, 'errors'),
  get('a missing image', `/images/${'cd'.repeat(32)}.png`, NOTHING, 'errors'),

  get('errors/', '/errors/404.json', NOTHING, 'hidden'),
  get('the file of an error', `/errors/422${FT}/${PRESSER}.pending-token`, NOTHING, 'hidden'),
  get('the record of the build', '/.stxpress/record.sqlite', NOTHING, 'hidden'),
  get('serve.json', '/serve.json', NOTHING, 'hidden'),
  get('a dotfile', '/.git/config', NOTHING, 'hidden'),

  get('a path in another case', '/OPENAPI.JSON', NOTHING, 'errors'),
  get('a list in another case', '/metadata/v1/FT', NOTHING, 'errors'),
  get('a list with a space at the end', `${FT}%20`, NOTHING, 'errors'),
  get('a list with a dot at the end', `${FT}.`, NOTHING, 'errors'),
  get('two slashes', `/${PRESS}`, NOTHING, 'malformed'),
  get('two slashes within', PRESS.replace('/ft/', '/ft//'), NOTHING, 'malformed'),
  get('dots above the root', '/../../etc/passwd', NOTHING, 'malformed'),
  get('encoded dots above the root', '/%2e%2e/%2e%2e/index.sqlite', NOTHING, 'malformed'),
  get('dots to errors/', `/variants/%2e%2e/errors/404.json`, NOTHING, 'hidden'),
  get('doubly encoded dots', `${FT}/%252e%252e%252fx`, BAD_PRINCIPAL, 'errors'),
  get('a doubly encoded letter', PRESS.replace('press', '%2570ress'), BAD_PRINCIPAL, 'errors'),
  get('a NUL', `${FT}/%00`, MALFORMED, 'malformed'),
  get('half an escape', '/%E0%A4%A', MALFORMED, 'malformed'),
  get('a path of 10 KB', `/${LONG}`, NOTHING, 'malformed'),

  get('?locale= with an encoded hyphen', `${PRESS}?locale=pt%2DBR`, PORTUGUESE, 'variants'),
  get('an encoded parameter', `${PRESS}?l%6fcale=de`, GERMAN, 'variants'),
  get('a parameter in another case', `${PRESS}?Locale=de`, served(PRESS), 'variants'),
  get('the list with a parameter of tokens', `${FT}?locale=de`, LIST),
  get('a page with a parameter of tokens', `${FT}/pages/20/20.json?locale=de`, served(`${FT}/pages/20/20.json`)),
  get('a page with a limit', `${FT}/pages/20/20.json?limit=5`, served(`${FT}/pages/20/20.json`)),
  get('the list as a file, with an offset', `${FT}/index.json?offset=20`, LIST),
  get('a token without values whose name differs by case', `${FT}/${DEPLOYER}.Mute`, TOKEN_ERROR, 'tokenErrors'),
  file('a token with values whose name differs by case', `${FT}/${DEPLOYER}.mUTE`),
  get('an address without a contract name', `${FT}/${DEPLOYER}`, BAD_PRINCIPAL, 'errors'),
  get('a variant with a trailing slash', `/variants/locale/de${PRESS}/`, NOTHING, 'errors'),
  get('an image with a trailing slash', `/${IMAGE}/`, NOTHING, 'errors'),
  ...['/_redirects', '/_headers', '/vercel.json', '/404.html'].map((path) => get(path, path, NOTHING, 'hidden')),
  get('.htaccess', '/.htaccess', NOTHING, 'hidden'),
  get('a path that looks like a host', '/%5cevil.example/404.json/', NOTHING, 'malformed'),
  get('encoded slashes', PRESS.replaceAll('/', '%2F').replace('%2F', '/'), NOTHING, 'malformed'),
  file('a range', PRESS, 'malformed', { headers: { Range: 'bytes=0-3' } }),
  file('a range beyond the end', PRESS, 'malformed', { headers: { Range: 'bytes=999999-' } }),
  get('an error with If-None-Match: *', `${FT}/${MISSING}`, NO_TOKEN, 'errors', ANY_TAG),
  get('HEAD', PRESS, { ...served(PRESS), body: { text: '' } }, undefined, { method: 'HEAD' }),
  get('HEAD of a missing token', `${FT}/${MISSING}`, { ...NO_TOKEN, body: { text: '' } }, 'errors', { method: 'HEAD' }),
  ...['POST', 'PUT', 'DELETE', 'PATCH'].map((method) => get(method, PRESS, NO_METHOD, 'methods', { method })),
  get('a preflight', PRESS, PREFLIGHT, 'preflight', PREFLIGHT_REQUEST),
  get('compression', PRESS, COMPRESSED, 'compression', { headers: { 'Accept-Encoding': 'gzip, br' } }),
];
