// Defines the requests for lists, searches and batches of tokens, and for paths without an API version.
import type { Ability } from '#hosts/host.ts';
import { tokenBatch } from '#routes/token-batch.ts';
import { COLLECTOR, PRESSER } from '../support/sample.ts';
import type { Case } from './expected.ts';
import * as expected from './expected.ts';
import { PATHS, TOKENS } from './site.ts';

const { FT, PRESS, STAMPS } = PATHS;
const { BAD_PAGE, file, get, NO_LOCALE, NO_TOKEN, NOT_READY, NOTHING, refusedBy, served } = expected;

export const MISSING = 'SP000000000000000000002Q6VF78.nothing';
export const page = (path: string, list = FT) => served(`${list}/pages/${path}.json`);
export const LIST = served(`${FT}/index.json`);
export const STATUS = served('/metadata/v1/index.json');
export const GERMAN = served(`/variants/locale/de${PRESS}`);
const SEVERAL = `contract=${PRESSER}.press-token&contract=${COLLECTOR}.stamp-nft:0&contract=${MISSING}`;
const FOUND = { ...served(''), body: { json: [{ symbol: 'PRESS' }, { token_number: 0, token_type: 'nft' }] } };
const slice = (name: string, query: string, json: unknown, needs: Ability = 'slices'): Case =>
  get(name, `${FT}?${query}`, { ...served(''), body: { json } }, needs);
const search = (name: string, query: string, json: unknown): Case => slice(name, query, json, 'search');

export const LIST_CASES: readonly Case[] = [
  get('the list', FT, { ...LIST, body: { json: { limit: 20, offset: 0, total: TOKENS } } }),
  get('the list with a slash', `${FT}/`, LIST),
  file('the list as a file', `${FT}/index.json`),
  file('a page of the list', `${FT}/pages/20/20.json`),
  get('a missing page of the list', `${FT}/pages/20/100.json`, NOTHING, 'errors'),
  file('the manifest of the list', `${FT}/pages/index.json`),
  file('the manifest of a collection', `${STAMPS}/pages/index.json`),
  file('the names of the list', `${FT}/names.json`),
  file('the token list', '/metadata/v1/tokenlist.json'),
  get('the days', '/metadata/v1/days', served('/metadata/v1/days/index.json')),
  get('the list by its defaults', `${FT}?limit=20&offset=0`, LIST),
  ...Object.entries({
    'limit=20&offset=40': '20/40',
    'offset=40': '20/40',
    'limit=60': '60/0',
    'offset=60&limit=60': '60/60',
    'limit=60&offset=120': '60/120',
  }).map(([query, path]) => get(`the list by ${query}`, `${FT}?${query}`, page(path), 'slices')),
  slice('a slice of the list', 'limit=3&offset=25', { limit: 3, offset: 25, total: TOKENS, results: [{}, {}, {}] }),
  slice('the largest limit', 'limit=60&offset=5', { limit: 60, offset: 5, total: TOKENS }),
  slice('a page of 60 within another', 'limit=60&offset=20', { limit: 60, offset: 20, total: TOKENS }),
  slice('an offset beyond the end', 'limit=5&offset=1000', { limit: 5, offset: 1_000, total: TOKENS, results: [] }),
  get('two values in a limit', `${FT}?limit=20%2640`, BAD_PAGE, 'slices'),
  get('a part of a value in an offset', `${FT}?limit=20&offset=0%26`, BAD_PAGE, 'slices'),
  search('a symbol', 'symbol=press', { total: 1, results: [{ symbol: 'PRESS' }] }),
  search('a symbol in a page', 'limit=60&offset=0&symbol=none', { limit: 60, total: 0, results: [] }),
  search('a part of a name', 'name=EN-4&limit=2', { total: 6, results: [{ name: 'Token token-4' }, {}] }),
  search('a deployer', `address=${COLLECTOR}`, { total: 1, results: [{ name: 'Wrapped Token' }] }),
  search('a prefix of a contract id', `address=${PRESSER}.press`, { total: 1, results: [{ symbol: 'PRESS' }] }),
  search('tokens with metadata', 'valid_metadata_only=true&symbol=press', { total: 1, results: [{ symbol: 'PRESS' }] }),
  get('an invalid address to search by', `${FT}?address=nonsense`, BAD_PAGE, 'search'),
  search('the list from its end', 'order=desc&limit=1', { total: TOKENS, results: [{ name: 'Wrapped Token' }] }),
  search('the list by symbol', 'order_by=symbol&limit=1', { total: TOKENS, results: [{ symbol: 'DRIFT' }] }),
  get('an invalid order of a list', `${FT}?order=up`, BAD_PAGE, 'search'),
  get('several tokens', `/metadata/v1/search?${SEVERAL}`, FOUND, 'batch'),
  ...['', '?contract=', '?contract=x', `?contract=${MISSING}:01`, `?${SEVERAL}&contract=${PRESSER}`].map((query) =>
    get(`a wrong search${query}`, `/metadata/v1/search${query}`, refusedBy(tokenBatch.badRequest), 'batch'),
  ),
  ...(
    [
      ['a token', PRESS, served(PRESS)],
      ['?locale=', `${PRESS}?locale=de`, GERMAN],
      ['?locale= not declared,', `${PRESS}?locale=fr`, NO_LOCALE],
      ['a pending token', `${FT}/${PRESSER}.pending-token`, NOT_READY],
      ['a missing token', `${FT}/${MISSING}`, NO_TOKEN],
      ['a number', `${STAMPS}/0`, served(`${STAMPS}/0`)],
      ['a collection', STAMPS, served(`${STAMPS}/index.json`)],
      ['the list', FT, LIST],
      ['a page', `${FT}?offset=20`, page('20/20')],
      ['the status', '/metadata/v1/', STATUS],
    ] as const
  ).map(([name, path, expect]) => get(`${name} without a version`, path.replace('/v1/', '/'), expect, 'unversioned')),
];
