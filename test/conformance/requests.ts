// The table of the suite: what is asked, and what every server must answer.
import type { Ability } from '#hosts/host.ts';
import { graphBlockOf } from '#layout/graph-blocks.ts';
import { fixedPart } from '#layout/response-files.ts';
import { GENERAL_ERRORS, ROUTES } from '#routes/all.ts';
import { contractGraph } from '#routes/contract-graph.ts';
import { BAD_COLLECTION_REQUEST } from '#routes/list-pages.ts';
import type { Route, RouteError } from '#routes/route.ts';
import { tokenBatch } from '#routes/token-batch.ts';
import { CACHE_FOREVER } from '#serving/headers.ts';
import { COLLECTOR, PRESSER } from '../support/sample.ts';
import type { Case } from './expected.ts';
import * as expected from './expected.ts';
import { CASE_NAMES, DEPLOYER, IMAGE, PATHS, THUMBNAIL, TOKENS, TYPE_NAMES } from './site.ts';

const { CONTRACT, EVERY_TYPE, FT, INTERFACE, LOCALIZED, NFT, PRESS, SFT, SHEETS, STAMPS, UNCONFIRMED } = PATHS;
const { answered, badRequest, document, image, refusedBy, table } = expected;
const { BAD_PAGE, MALFORMED, NO_CONTRACT, NO_INTERFACE, NO_LOCALE, NO_METHOD, NO_TOKEN, NOT_READY, NOTHING } = expected;
const { BELOW, file, get, hasLonger, malformedName, PREFLIGHT, PREFLIGHT_REQUEST, TOKEN_ERROR } = expected;

const MISSING = 'SP000000000000000000002Q6VF78.nothing';
const LONG = 'x'.repeat(10_000);
const page = (of: string, list = FT) => answered(`${list}/pages/${of}.json`);
export const LIST = answered(`${FT}/index.json`);
const STATUS = answered('/metadata/v1/index.json');
const IN_GERMAN = answered(`/variants/locale/de${PRESS}`);
const IN_PORTUGUESE = answered(`/variants/locale/pt-BR${PRESS}`);
const AT_LATEST = answered(`/variants/tip/latest${UNCONFIRMED}`);
const BAD_PRINCIPAL = badRequest('principal must be <contract address>.<contract name>');
const BAD_ID = badRequest('contract_id must be <contract address>.<contract name>');
const BAD_PATH = badRequest('the path must end in <contract address>/<contract name>');
export const SCRIPT = document('explorer/app.js');
export const VERSIONED = { ...SCRIPT, headers: { ...SCRIPT.headers, 'cache-control': CACHE_FOREVER } };
const SEVERAL = `contract=${PRESSER}.press-token&contract=${COLLECTOR}.stamp-nft:0&contract=${MISSING}`;
const FOUND = { ...answered(''), body: { json: [{ symbol: 'PRESS' }, { token_number: 0, token_type: 'nft' }] } };
const COMPRESSED = answered(PRESS, { 'content-encoding': /^(?:gzip|br|zstd)$/, vary: /accept-encoding/i });
const TAG_OF_ANYTHING = { headers: { 'If-None-Match': '*' } };
const slice = (name: string, query: string, json: unknown, needs: Ability = 'slices'): Case =>
  get(name, `${FT}?${query}`, { ...answered(''), body: { json } }, needs);
const search = (name: string, query: string, json: unknown): Case => slice(name, query, json, 'search');

const belowOf = (route: Route, part: string) => `/${fixedPart(route)}${part.repeat(route.parameters.length)}`;
const ofLonger = (route: Route) =>
  hasLonger(route) ? refusedBy(route.badRequest ?? GENERAL_ERRORS.badRequest) : NOTHING;
const notFoundOf = (path: string) => refusedBy(ROUTES.find((route) => route.path === path)?.notFound as RouteError);
/** Paths of the public APIs that the site does not have. */
const UNSERVED = [
  `${CONTRACT}/${PRESSER}.press-token/events`,
  `${CONTRACT}/by_trait`,
  `${CONTRACT}/by_trait?trait_abi={}`,
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
  { name: 'a token for no page', ask: { path: PRESS }, expect: answered(PRESS), needs: 'headers' },
  file('a contract', `${CONTRACT}/${PRESSER}.orphan`),
  file('an interface', EVERY_TYPE),
  file('a status', `/metadata/v1/status/${PRESSER}.press-token`),
  file('a token with a number', `${STAMPS}/1`),
  file('number 0', `${STAMPS}/0`),
  file('the largest number', `${STAMPS}/${2n ** 128n - 1n}`),
  get('a number too large', `${STAMPS}/${2n ** 128n}`, refusedBy(BAD_COLLECTION_REQUEST), 'errors'),
  file('a semi-fungible token', `${SHEETS}/7`),
  get('the tokens of a collection', STAMPS, answered(`${STAMPS}/index.json`), 'slices'),
  file('the tokens of a collection by their file', `${STAMPS}/index.json`),
  file('a page of them by its file', `${STAMPS}/pages/60/60.json`),
  get('a page of them', `${STAMPS}?offset=60`, page('60/60', STAMPS), 'slices'),
  get('the collections', NFT, answered(`${NFT}/index.json`)),
  get('a page of the collections', `${SFT}?limit=60&offset=60`, page('60/60', SFT), 'slices'),
  file('the status of a collection', `/metadata/v1/status/${COLLECTOR}.stamp-nft`),
  get('the search of tokens', '/search/tokens', answered('/search/tokens/index.json')),
  get('the search of collections', '/search/collections', answered('/search/collections/index.json')),
  get('the search of contracts', '/search/contracts', answered('/search/contracts/index.json')),
  file('its fence by its file', '/search/contracts/index.json'),
  get('the search of functions', '/search/functions', answered('/search/functions/index.json')),
  file('calls of a contract', `/graph/${graphBlockOf(`${PRESSER}.office`)}.json`),
  get(
    'a block without contracts',
    `/graph/${graphBlockOf(MISSING)}.json`,
    refusedBy(contractGraph.notFound as RouteError),
    'errors',
  ),
  get(
    'calls by a contract id',
    `/graph/${PRESSER}.office`,
    refusedBy(contractGraph.badRequest as RouteError),
    'errors',
  ),
  file('a page of callers', `/graph/lists/called-by/${PRESSER}.office-token/0`),
  get('no such page of callers', `/graph/lists/called-by/${PRESSER}.office-token/1`, NOTHING, 'errors'),
  get('no such block', `/search/contracts/${'0'.repeat(12)}`, notFoundOf('search/contracts/{block}'), 'errors'),
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
  ...CASE_NAMES.map((name) => file(`${name} by its case`, `${CONTRACT}/${DEPLOYER}.${name}`)),

  get('?locale=', `${PRESS}?locale=de`, IN_GERMAN, 'variants'),
  get('?locale= of the default', `${PRESS}?locale=en`, answered(PRESS)),
  get('?locale= with a hyphen, behind another', `${PRESS}?other=1&locale=pt-BR`, IN_PORTUGUESE, 'variants'),
  get('?locale= of digits', `${LOCALIZED}?locale=419`, answered(`/variants/locale/419${LOCALIZED}`), 'variants'),
  get('?locale= empty', `${PRESS}?locale=`, answered(PRESS)),
  get('?locale= repeated', `${PRESS}?locale=de&locale=pt-BR`, IN_GERMAN, 'variants'),
  get('?locale= not declared', `${PRESS}?locale=fr`, NO_LOCALE, 'undeclared'),
  get('?locale= in another case', `${PRESS}?locale=DE`, NO_LOCALE, 'undeclared'),
  get('?locale= that climbs', `${PRESS}?locale=../../x`, NO_LOCALE, 'undeclared'),
  get('?locale= that climbs, encoded', `${PRESS}?locale=..%2F..%2Fx`, NO_LOCALE, 'undeclared'),
  get('?locale= of 10 KB', `${PRESS}?locale=${LONG}`, NO_LOCALE, 'malformed'),
  get('?locale= of a token without any', `${FT}/${PRESSER}.whole-token?locale=en`, NO_LOCALE, 'undeclared'),
  get('?locale= of no token', `${FT}/${MISSING}?locale=de`, NO_TOKEN, 'undeclared'),
  get('?locale= of a pending token', `${FT}/${PRESSER}.pending-token?locale=de`, NOT_READY, 'tokenErrors'),
  get('another parameter', `${PRESS}?proof=0`, answered(PRESS)),
  get('a query of 10 KB', `${PRESS}?other=${LONG}`, answered(PRESS), 'malformed'),
  get('?tip=latest', `${EVERY_TYPE}?tip=latest`, answered(EVERY_TYPE)),
  get('?tip= of a block', `${EVERY_TYPE}?tip=0xff`, answered(EVERY_TYPE)),
  get('?tip=latest of an unconfirmed contract', `${UNCONFIRMED}?tip=latest`, AT_LATEST, 'variants'),
  get('an unconfirmed contract', UNCONFIRMED, NO_INTERFACE, 'errors'),
  get('?tip=latest of nothing', `${INTERFACE}/${COLLECTOR}/nothing?tip=latest`, NO_INTERFACE, 'errors'),
  file('a variant by its path', `/variants/locale/de${PRESS}`),
  get('a variant that is not there', `/variants/locale/fr${PRESS}`, NOTHING, 'errors'),

  // Of every route, a new one too.
  ...BELOW.flatMap((route) => [
    get(malformedName(route), belowOf(route, '/!'), refusedBy(route.badRequest ?? GENERAL_ERRORS.badRequest), 'errors'),
    get(`a path of ${route.id} with a part too many`, `${belowOf(route, '/a')}/a`, ofLonger(route), 'errors'),
  ]),
  ...UNSERVED.map((path) => get(`a path that is not served: ${path}`, path, NOTHING, 'errors')),
  get('no token', `${FT}/${MISSING}`, NO_TOKEN, 'errors'),
  get('no token, but a contract', `${FT}/${PRESSER}.orphan`, NO_TOKEN, 'errors'),
  get('no token, but a collection', `${FT}/${COLLECTOR}.stamp-nft`, NO_TOKEN, 'errors'),
  get('no contract', `${CONTRACT}/${MISSING}`, NO_CONTRACT, 'errors'),
  get('no interface', `${INTERFACE}/${MISSING.replace('.', '/')}`, NO_INTERFACE, 'errors'),
  get('no status', `/metadata/v1/status/${MISSING}`, NO_TOKEN, 'errors'),
  get('no principal', `${FT}/nonsense`, BAD_PRINCIPAL, 'errors'),
  get('no principal, but a folder', `${INTERFACE}/${PRESSER}`, NOTHING, 'errors'),
  get('a name that begins with a digit', `${FT}/SP000000000000000000002Q6VF78.1st`, BAD_PRINCIPAL, 'errors'),
  get('no contract id', `${CONTRACT}/${PRESSER}`, BAD_ID, 'errors'),
  get('no address', `${INTERFACE}/0x00/nothing`, BAD_PATH, 'errors'),
  get('a part too many', `${PRESS}/1`, NOTHING, 'errors'),
  get('a trailing slash', `${PRESS}/`, NOTHING, 'errors'),
  get('a pending token', `${FT}/${PRESSER}.pending-token`, NOT_READY, 'tokenErrors'),
  get('a token in error', `${FT}/${PRESSER}.silent-token`, TOKEN_ERROR, 'tokenErrors'),
  get('nothing', '/nothing', NOTHING, 'errors'),
  get('a folder', '/extended', NOTHING, 'errors'),
  get('an icon', '/favicon.ico', NOTHING, 'errors'),

  get('the list', FT, { ...LIST, body: { json: { limit: 20, offset: 0, total: TOKENS } } }),
  get('the list with a slash', `${FT}/`, LIST),
  file('the list as a file', `${FT}/index.json`),
  file('a page of the list', `${FT}/pages/20/20.json`),
  get('no page of the list', `${FT}/pages/20/100.json`, NOTHING, 'errors'),
  file('the manifest of the list', `${FT}/pages/index.json`),
  file('the manifest of a collection', `${STAMPS}/pages/index.json`),
  file('the names of the list', `${FT}/names.json`),
  file('the token list', '/metadata/v1/tokenlist.json'),
  get('its schema', '/metadata/v1/tokenlist.schema.json', document('metadata/v1/tokenlist.schema.json')),
  file('the last changes', '/changes.json'),
  get('the days', '/metadata/v1/days', answered('/metadata/v1/days/index.json')),
  get('the last changes as a feed', '/changes.atom', document('changes.atom')),
  get('the list by its defaults', `${FT}?limit=20&offset=0`, LIST),
  ...Object.entries({
    'limit=20&offset=40': '20/40',
    'offset=40': '20/40',
    'limit=60': '60/0',
    'offset=60&limit=60': '60/60',
    'limit=60&offset=120': '60/120',
  }).map(([query, of]) => get(`the list by ${query}`, `${FT}?${query}`, page(of), 'slices')),
  slice('a part of the list', 'limit=3&offset=25', { limit: 3, offset: 25, total: TOKENS, results: [{}, {}, {}] }),
  slice('the most at once', 'limit=60&offset=5', { limit: 60, offset: 5, total: TOKENS }),
  slice('a page of 60 within another', 'limit=60&offset=20', { limit: 60, offset: 20, total: TOKENS }),
  slice('behind the end', 'limit=5&offset=1000', { limit: 5, offset: 1_000, total: TOKENS, results: [] }),
  get('two values in a limit', `${FT}?limit=20%2640`, BAD_PAGE, 'slices'),
  get('a part of a value in an offset', `${FT}?limit=20&offset=0%26`, BAD_PAGE, 'slices'),
  search('a symbol', 'symbol=press', { total: 1, results: [{ symbol: 'PRESS' }] }),
  search('a symbol in a page', 'limit=60&offset=0&symbol=none', { limit: 60, total: 0, results: [] }),
  search('a part of a name', 'name=EN-4&limit=2', { total: 6, results: [{ name: 'Token token-4' }, {}] }),
  search('a deployer', `address=${COLLECTOR}`, { total: 1, results: [{ name: 'Wrapped Token' }] }),
  search('more of a principal', `address=${PRESSER}.press`, { total: 1, results: [{ symbol: 'PRESS' }] }),
  search('tokens with metadata', 'valid_metadata_only=true&symbol=press', { total: 1, results: [{ symbol: 'PRESS' }] }),
  get('no address to search by', `${FT}?address=nonsense`, BAD_PAGE, 'search'),
  search('the list from its end', 'order=desc&limit=1', { total: TOKENS, results: [{ name: 'Wrapped Token' }] }),
  search('the list by symbol', 'order_by=symbol&limit=1', { total: TOKENS, results: [{ symbol: 'DRIFT' }] }),
  get('a list in no order', `${FT}?order=up`, BAD_PAGE, 'search'),
  get('several tokens', `/metadata/v1/search?${SEVERAL}`, FOUND, 'batch'),
  ...['', '?contract=', '?contract=x', `?contract=${MISSING}:01`, `?${SEVERAL}&contract=${PRESSER}`].map((query) =>
    get(`a wrong search${query}`, `/metadata/v1/search${query}`, refusedBy(tokenBatch.badRequest), 'batch'),
  ),
  ...(
    [
      ['a token', PRESS, answered(PRESS)],
      ['?locale=', `${PRESS}?locale=de`, IN_GERMAN],
      ['?locale= not declared,', `${PRESS}?locale=fr`, NO_LOCALE],
      ['a pending token', `${FT}/${PRESSER}.pending-token`, NOT_READY],
      ['no token', `${FT}/${MISSING}`, NO_TOKEN],
      ['a number', `${STAMPS}/0`, answered(`${STAMPS}/0`)],
      ['a collection', STAMPS, answered(`${STAMPS}/index.json`)],
      ['the list', FT, LIST],
      ['a page', `${FT}?offset=20`, page('20/20')],
      ['the status', '/metadata/v1/', STATUS],
    ] as const
  ).map(([name, path, expect]) => get(`${name} without a version`, path.replace('/v1/', '/'), expect, 'unversioned')),
  get('the status', '/metadata/v1/', { ...STATUS, body: { json: { status: 'ready', tokens: { ft: TOKENS } } } }),
  get('the hash of the site', '/metadata/v1/site', answered('/metadata/v1/site/index.json')),
  get('the status without a slash', '/metadata/v1', STATUS),

  get('the landing page', '/', document('index.html')),
  get('the API as a page', '/docs/', document('docs/index.html')),
  get('the landing page by its file', '/index.html', document('index.html')),
  get('the page of the API by its file', '/docs/index.html', document('docs/index.html')),
  get('its script', '/docs/swagger-ui-bundle.js', document('docs/swagger-ui-bundle.js')),
  get('its style', '/docs/swagger-ui.css', document('docs/swagger-ui.css')),
  get('a script of a version', '/explorer/app.js?0123456789ab', VERSIONED, 'versions'),
  get('a script of something else', '/explorer/app.js?v=0123456789ab', SCRIPT, 'versions'),
  get('the API as JSON', '/openapi.json', document('openapi.json')),

  get('an image', `/${IMAGE}`, image(IMAGE)),
  get('a thumbnail', `/${THUMBNAIL}`, image(THUMBNAIL)),
  get('a table', '/dump/tokens.parquet', table('tokens.parquet'), 'types'),
  get('its lines', '/dump/tokens.ndjson.gz', table('tokens.ndjson.gz')),
  get('what tables are there', '/dump/README.md', table('README.md'), 'types'),
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
  get('a NUL', `${FT}/%00`, MALFORMED, 'malformed'),
  get('half an escape', '/%E0%A4%A', MALFORMED, 'malformed'),
  get('a path of 10 KB', `/${LONG}`, NOTHING, 'malformed'),

  get('?locale= with an encoded hyphen', `${PRESS}?locale=pt%2DBR`, IN_PORTUGUESE, 'variants'),
  get('an encoded parameter', `${PRESS}?l%6fcale=de`, IN_GERMAN, 'variants'),
  get('a parameter in another case', `${PRESS}?Locale=de`, answered(PRESS), 'variants'),
  get('the list with a parameter of tokens', `${FT}?locale=de`, LIST),
  get('a page with a parameter of tokens', `${FT}/pages/20/20.json?locale=de`, answered(`${FT}/pages/20/20.json`)),
  get('a page with a limit', `${FT}/pages/20/20.json?limit=5`, answered(`${FT}/pages/20/20.json`)),
  get('the list as a file, with an offset', `${FT}/index.json?offset=20`, LIST),
  get('the one of a pair that answers nothing', `${FT}/${DEPLOYER}.Mute`, TOKEN_ERROR, 'tokenErrors'),
  file('the other one', `${FT}/${DEPLOYER}.mUTE`),
  get('an address alone', `${FT}/${DEPLOYER}`, BAD_PRINCIPAL, 'errors'),
  get('a variant with a trailing slash', `/variants/locale/de${PRESS}/`, NOTHING, 'errors'),
  get('an image with a trailing slash', `/${IMAGE}/`, NOTHING, 'errors'),
  ...['/_redirects', '/_headers', '/vercel.json', '/404.html'].map((path) => get(path, path, NOTHING, 'hidden')),
  get('.htaccess', '/.htaccess', NOTHING, 'hidden'),
  get('a path that looks like another host', '/%5cevil.example/404.json/', NOTHING, 'malformed'),
  get('encoded slashes', PRESS.replaceAll('/', '%2F').replace('%2F', '/'), NOTHING, 'malformed'),
  file('a range', PRESS, 'malformed', { headers: { Range: 'bytes=0-3' } }),
  file('a range behind the end', PRESS, 'malformed', { headers: { Range: 'bytes=999999-' } }),
  get('an error with the tag of anything', `${FT}/${MISSING}`, NO_TOKEN, 'errors', TAG_OF_ANYTHING),
  get('HEAD', PRESS, { ...answered(PRESS), body: { text: '' } }, undefined, { method: 'HEAD' }),
  get('HEAD of nothing', `${FT}/${MISSING}`, { ...NO_TOKEN, body: { text: '' } }, 'errors', { method: 'HEAD' }),
  ...['POST', 'PUT', 'DELETE', 'PATCH'].map((method) => get(method, PRESS, NO_METHOD, 'methods', { method })),
  get('a preflight', PRESS, PREFLIGHT, 'preflight', PREFLIGHT_REQUEST),
  get('compression', PRESS, COMPRESSED, 'compression', { headers: { 'Accept-Encoding': 'gzip, br' } }),
];
