// Lists the readers of texts from third parties, with shapes of text that could take them more than linear time. Tests
// that their time grows linearly with the length of the text.
import { test } from 'vitest';
import { callsAtDeploy } from '#clarity/calls-at-deploy.ts';
import { findNames } from '#clarity/find-names.ts';
import { findReferences } from '#clarity/find-references.ts';
import { atomsOf, countExpressions, parseSource } from '#clarity/parse-source.ts';
import { readEffects } from '#clarity/read-effects.ts';
import { findWritingFunctions } from '#clarity/writing-functions.ts';
import { clarityTokens, findDefinitions, sourceChunks } from '#explorer/clarity-tokens.ts';
import { findUnsupported } from '#image/find-unsupported.js';
import { isFailure } from '#model/failure.ts';
import { addressLiteralOf, isLocalName, isPublicAddress } from '#net/address-guard.ts';
import { decodeBody } from '#net/decode-body.ts';
import { explainNetworkError } from '#net/network-error.ts';
import { parseRetryAfter } from '#net/send-request.ts';
import { chooseEncoding } from '#serve/compress.ts';
import { chooseRange } from '#serve/range.ts';
import { handleRequest } from '#serving/handle-request.ts';
import { fillLocale, fillTokenNumber, fillValues, hasLocalePlaceholder } from '#sip-016/fill-template.ts';
import { normalizeDocument, servableLocales } from '#sip-016/normalize-document.ts';
import { parseDocument } from '#sip-016/parse-document.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import { hasDefinitions } from '#standards/source-interface.ts';
import { foldLookAlike } from '#text/fold-look-alike.ts';
import { isHtmlPage } from '#text/html-page.ts';
import { parseJson } from '#text/parse-json.ts';
import { escapeControls, excerpt, quote, shorten } from '#text/quote.ts';
import { findContent } from '#uri/find-content.ts';
import { gatewayUrls } from '#uri/gateway-urls.ts';
import { readDataUri } from '#uri/read-data-uri.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import { cutDefinitions, cutSource, definitionsOf, namesIn } from '#vm/cut-source.ts';
import { prepareSource } from '#vm/prepare-source.ts';
import { EMPTY_INTERFACE } from '../support/interfaces.ts';
import { expectLinear } from '../support/linear-time.ts';
import { DOCUMENT_SHAPES, repeats, type Shapes, SOURCE_SHAPES } from './text-shapes.ts';

type Readers = Readonly<Record<string, (text: string) => unknown>>;

const ADDRESS = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const GATEWAYS = { ipfs: ['https://one.example', 'https://two.example/gw'], arweave: ['https://ar.example'] };
const LARGEST_ID = `${2n ** 128n - 1n}`;

const SOURCES: Readers = {
  callsAtDeploy: (source) => callsAtDeploy(parseSource(source)),
  findNames: (source) => findNames(Buffer.from(source), ADDRESS),
  findReferences: (source) => findReferences(parseSource(source), ADDRESS),
  findWritingFunctions,
  countExpressions: (source) => countExpressions(parseSource(source)),
  parseSource: (source) => [...atomsOf(parseSource(source))].length,
  readEffects: (source) => readEffects(source, `${ADDRESS}.a`),
  sharedGetters: (source) => sharedGetters('sip-009', source),
  hasDefinitions: (source) => hasDefinitions(EMPTY_INTERFACE, source),
  cutSource: (source) => cutSource(source).withExpressions(new Set()),
  cutDefinitions: (source) => cutDefinitions(source).withNames(['f', 'a0']),
  definitionsOf,
  namesIn,
  prepareSource: (source) => prepareSource(source, { clarityVersion: 3, chainId: 1 }),
  clarityTokens: (source) => [...clarityTokens(source)].length,
  findDefinitions,
  sourceChunks: (source) => [...sourceChunks(source)].length,
};

const DOCUMENTS: Readers = {
  documents: (text) => {
    const bytes = Buffer.from(text);
    const parsed = parseDocument(bytes);
    if (isFailure(parsed)) return;
    const { localization } = normalizeDocument(parsed.json, LARGEST_ID).document;
    if (localization !== undefined) servableLocales(localization, bytes.length);
  },
};

const TEXTS: Readers = {
  decodeBody: (text) => decodeBody(Buffer.from('x'), text, 10).catch(() => undefined),
  parseRetryAfter: (text) => parseRetryAfter(text, 0),
  explainNetworkError: (text) =>
    explainNetworkError(Object.assign(new Error(text), { name: 'HTTPParserError' }), 'h', true),
  addressLiteralOf,
  isLocalName,
  isPublicAddress,
  escapeControls,
  foldLookAlike,
  isHtmlPage,
  parseJson,
  quote,
  excerpt: (text) => excerpt(text, 200),
  shorten: (text) => shorten(text, 200),
  findContent,
  readDataUri: (text) => readDataUri(`data:${text},${text}`),
  'readDataUri, base64': (text) => readDataUri(`data:;base64,${text}`),
};
const TEXT_SHAPES = repeats(
  [
    ...['gzip,', 'gzip', ',', ' ', '\t', '\n', '1', 'Mon, ', '(', ')', '()', '.', 'local.', ':', '0.', '::', '[', ']'],
    ...['<', '<!--', '-->', '<?', '?>', '<!doctype', '{', '"', "'", '\\', '/*', '*/', '//', '[],', '\0', '\u2028'],
    ...['%', '%4', '%41', '=', 'A', 'a=', ';', ';base64', '-', '_', '#', '?', 'ipfs:', 'https:', '\ud800'],
    'a\u0301m\u200bІ ﷺ',
  ],
  [
    ['', ''],
    ['{"', 'x'],
    ['Mon', '='],
    ['', '<'],
  ],
);

const PAGES: Readers = { 'isHtmlPage, pages': isHtmlPage };
const PAGE_SHAPES = ['', '<', '<!doctype'].map((head) =>
  [' ', '\ufeff', '<!-- a -->', '<!--', '<!-->', '<?a?>', '<?', '<!doctype ', '<!doctype html', '<a', 'a', '-->'].map(
    (part) => repeats([part], [[head + part, 'html']]),
  ),
);

const TEMPLATES: Readers = {
  fillValues: (text) => fillValues(text, LARGEST_ID),
  fillTokenNumber: (text) => fillTokenNumber(text, LARGEST_ID),
  fillLocale: (text) => fillLocale(text, 'en'),
  hasLocalePlaceholder,
};
const TEMPLATE_SHAPES = repeats(
  ['{id}', '{', '{i', '{id', '{{id}', '{locale', 'a', ' ', '/'],
  [
    ['', ''],
    ['a:', ''],
    [' ', 'a://'],
  ],
);

const URIS: Readers = { resolveUri, gatewayUrls: (uri) => gatewayUrls(uri, GATEWAYS) };
const URI_SHAPES = repeats(
  [
    ...[
      '/',
      '\\',
      ' ',
      'ipfs:',
      'ipfs/',
      'ipfs://',
      '%2f',
      'https:',
      'https://',
      'ipfs.io/',
      'a.b/ipfs/',
      'ipns:ipfs:',
    ],
    ...['a', 'k', 'Qm', 'bafy', 'ba', '.', ':', '%', '?', '#', 'ar:', 'arweave.net/', '\u00fc', '{', '12D3KooW'],
    '.ipfs.',
  ],
  [
    ['', ''],
    ['ipfs://', ''],
    ['ar:', ''],
    ['https://', `/ipfs/${CID}`],
    [`ipfs://${CID}/`, 'x'],
    ['data:,', ''],
  ],
);

const SVGS: Readers = { findUnsupported: (svg) => findUnsupported(svg) };
const SVG_SHAPES = repeats(
  [
    ...['<', '<!', '<!--', '<![CDATA[', '<?', '<?a?>', '<!DOCTYPE', '<!DOCTYPE a [', ']', '"', "'", '<a ', '<a b="'],
    ...["<a b='", '<style>', '</', ' ', 'a', '/*', '@font-face', '@media', 'url(', 'scale', 'color-', 'background'],
    ...['transform', ';', '&#10;', '%20', '<a b="c"', '<style>/*', '<image href="data:', ';base64', '<!ENTITY a "b">'],
    ...[': ', '(', '{', '}'],
  ],
  ['', '<svg>', '<svg ', '<svg style="', '<style>', '<!DOCTYPE svg [', '<image href="data:,'].map((head) => [head, '']),
);

const FILES = {
  read: async (file: string) => {
    const text = SITE_RULES.errors[file];
    return text === undefined ? undefined : { body: text, tag: '"tag"' };
  },
  textOf: (text: string) => text,
};
const request = async (pathname: string, query = '', tags?: string) =>
  (await handleRequest({ method: 'GET', pathname, query: new URLSearchParams(query), tags }, SITE_RULES, FILES)).status;
const QUERIED = ['/metadata/v1/ft', '/metadata/v1/ft/SP000000000000000000002Q6VF78.token', '/metadata/v1/search'];
const PARAMETERS = ['limit', 'offset', 'name', 'symbol', 'address', 'order', 'locale', 'tip', 'contract'];

const PATHS: Readers = {
  'paths of requests': async (path) => {
    const status = await request(path);
    if (status !== 400 && status !== 404) throw new Error(`status ${status}`);
  },
};
const PATH_SHAPES = repeats(
  ['a', '/', 'a/', '%', '%2F', '%41', '.', '..', '-', '0', 'S', '%00', '%ff', '%0a', ' ', 'a.json/', '20/'],
  ['/', '/metadata/v1/ft/', '/metadata/v1/nft/SP1.a/', '/images/', '/dump/', '/variants/', '/search/'].flatMap((head) =>
    ['', '!', '.png', '/'].map((tail): [string, string] => [head, tail]),
  ),
);

/** The readers of each kind of text, and the shapes of these texts. */
const READERS: readonly (readonly [readers: Readers, shapes: Shapes])[] = [
  [SOURCES, SOURCE_SHAPES],
  [DOCUMENTS, DOCUMENT_SHAPES],
  [TEXTS, TEXT_SHAPES],
  [PAGES, Object.assign({}, ...PAGE_SHAPES.flat())],
  [TEMPLATES, TEMPLATE_SHAPES],
  [URIS, URI_SHAPES],
  [SVGS, SVG_SHAPES],
  [PATHS, PATH_SHAPES],
  [
    Object.fromEntries(
      QUERIED.flatMap((path) =>
        PARAMETERS.map((name) => [`${name} of ${path}`, (value: string) => request(path, `${name}=${value}`)]),
      ),
    ),
    repeats(['a', 'S', '0', '%0a', '%27', '+', 'S0']),
  ],
  [
    { contracts: (query) => request('/metadata/v1/search', query) },
    repeats(['contract=a&', 'contract=%0a&', 'contract=S0&']),
  ],
  [{ tags: (tags) => request('/metadata/v1/ft', '', tags) }, repeats(['"",', '*', 'W/', ' ', ',', '" ', 'W/"a",'])],
  [{ chooseEncoding }, repeats(['a,', ';', ',', ' ', ';q=', 'gzip;q=1,', 'q=0;', '0'])],
  [
    { chooseRange: (range) => chooseRange({ range }, '"tag"', 10) },
    repeats(
      ['0', '-', 'bytes=', '0-', '0-1,', ' '],
      ['', '-', 'x'].map((tail) => ['bytes=', tail]),
    ),
  ],
];

/** Adds a test for each reader: `length` is the shorter of two lengths, and `graceMs` is the time that always passes. */
export function testReaders(length: number, graceMs?: number): void {
  const rows = READERS.flatMap(([readers, shapes]) =>
    Object.entries(readers).map(([name, read]) => ({ name, read, shapes })),
  );
  test.each(rows)('$name takes linear time', async ({ read, shapes }) => {
    for (const [shape, make] of Object.entries(shapes)) {
      const texts = new Map([length, 4 * length].map((size) => [size, make(size)]));
      await expectLinear((size) => read(texts.get(size) ?? ''), length, shape, graceMs);
    }
  });
}
