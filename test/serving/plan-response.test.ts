// Tests which files and statuses may be the response to a request. The conformance suite tests the headers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '#serving/candidate.ts';
import { headersOf } from '#serving/handle-request.ts';
import { planResponse } from '#serving/plan-response.ts';
import type { ListRule } from '#serving/rules.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { COLLECTOR, PRESSER } from '../support/sample.ts';

const TOKEN = `metadata/v1/ft/${PRESSER}.press-token`;
const LIST = '/metadata/v1/ft';
const MANIFEST = 'metadata/v1/ft/pages/index.json';

const plan = (path: string, query = ''): Candidate[] => planResponse(path, new URLSearchParams(query), SITE_RULES);

/**
 * Describes the candidates for a request: status, file, and `?` if the file must exist. A different file that must
 * exist is in brackets.
 */
const describePlan = (path: string, query = ''): string[] =>
  plan(path, query).map(({ status, file, needs, slice }) => {
    const condition = needs === undefined ? '' : needs === file ? '?' : ` [${needs}]`;
    const part = slice === undefined ? '' : ` ${slice.limit}@${slice.offset}`;
    return `${status} ${file}${condition}${part}`;
  });

const GENERAL_404 = ['404 errors/404.json'];
const NO_TOKEN = ['404 errors/404/metadata/v1/ft.json'];
const BAD_TOKEN = ['400 errors/400/metadata/v1/ft.json'];
const BAD_PAGE = ['400 errors/400/metadata/v1/ft/index.json'];

test('default', () => {
  expect(plan(`/${TOKEN}`)).toEqual([
    { status: 200, file: TOKEN, needs: TOKEN },
    { status: 422, file: `errors/422/${TOKEN}`, needs: `errors/422/${TOKEN}` },
    { status: 404, file: 'errors/404/metadata/v1/ft.json' },
  ]);
});

test.each<[string, string, string[]]>([
  ['an invalid locale', 'locale=d%20e', [`422 errors/422/metadata/v1/ft.json [${TOKEN}]`]],
  ['a locale that is too long', `locale=${'x'.repeat(9)}`, [`422 errors/422/metadata/v1/ft.json [${TOKEN}]`]],
  ['a locale with a line break', 'locale=de%0A', [`422 errors/422/metadata/v1/ft.json [${TOKEN}]`]],
  ['a parameter of another route', 'tip=latest&offset=20', []],
])('%s', (_, query, variants) => {
  const rest = [`200 ${TOKEN}?`, `422 errors/422/${TOKEN}?`, ...NO_TOKEN];
  expect(describePlan(`/${TOKEN}`, query)).toEqual([...variants, ...rest]);
});

test('responds to a missing variant according to the route', () => {
  const path = `v2/contracts/interface/${COLLECTOR}/unconfirmed`;
  const rest = [`200 ${path}?`, '404 errors/404/v2/contracts/interface.json'];
  expect(describePlan(`/${path}`, 'tip=latest')).toEqual([`200 variants/tip/latest/${path}?`, ...rest]);
  for (const query of ['', 'tip=', 'tip=0xff', 'tip=latest%2F..', 'tip=LATEST'])
    expect(describePlan(`/${path}`, query)).toEqual(rest);
});

test.each(
  `.. . ../../errors ..%2F..%2F.stxpress de/.. de%2F..%2F..%2Fserve.json %2e%2e %252e%252e%252f ..%5C.. de%00 %00
    /etc/passwd de/ {0} $%26 $0 -de de- %F0%9F%98%80 constructor. %C2%A0de`.split(/\s+/),
)('does not put the value %s into a path', (value) => {
  for (const name of ['locale', 'tip', 'offset', 'limit', 'symbol', 'order']) {
    for (const path of [`/${TOKEN}`, `/v2/contracts/interface/${COLLECTOR}/unconfirmed`, LIST]) {
      for (const { file, needs = '' } of plan(path, `${name}=${value}`)) {
        expect(file).not.toMatch(/^variants|pages\/(?!index)/);
        expect(needs).not.toMatch(/^variants|pages\/(?!index)/);
      }
    }
  }
});
/** Returns pairs of a path and its expected candidates. The paths may be separated by spaces. */
const alike = (expected: string[], ...paths: string[]) =>
  paths.flatMap((some) => some.split(/\s+/)).map((path) => [path, expected] as const);
const PRINCIPAL = `${PRESSER}.press-token`;

// The conformance suite has further requests, which the local server must pass.
test.each([
  ...'/docs/start.js /metadata/v1/index.json /metadata/v1/ft/pages/60/120.json /images/x.png'
    .split(' ')
    .map((path) => [path, [`200 ${path.slice(1)}?`, ...GENERAL_404]] as const),
  ...alike(['200 index.html?', ...GENERAL_404], '/'),
  ...alike(['200 docs/index.html?', ...GENERAL_404], '/docs'),
  // The public API accepts a path without a version.
  ...alike(['200 metadata/v1/index.json?', ...GENERAL_404], '/metadata'),
  ...alike(GENERAL_404, '/extended/v1/contract/'),
  ...alike(
    GENERAL_404,
    '/metadata/v1/ft/pages/30/0.json /metadata/v1/ft/pages/20/020.json /metadata/v1/ft/pages/20/1xjson',
    `/metadata/v1/ft/../${PRINCIPAL}`,
  ),
  ...alike(BAD_TOKEN, '/metadata/v1/ft/pages /metadata/ft/nonsense /metadata/v1/ft/.. /metadata/v1/ft/.'),
  ...alike(
    GENERAL_404,
    '/docs/start.js/ /metadata/v2/ft /metadata//ft /metadatas/ft /metadata/v1/other /metadata/v1x',
    '/extended/v1/contract /images/ /constructor /__proto__',
    // Paths with an empty part.
    '// /// //docs /docs// /metadata//v1 /metadata/v1// /metadata/v1/ft// /images//x.png',
    `/metadata/v1/ft//${PRINCIPAL} //${TOKEN} /variants/locale/de//${TOKEN}`,
    // Paths with dot segments, since some servers do not remove them.
    '/. /.. /../index.html /docs/../openapi.json /images/../errors/404.json /images/./x.png /images/.hidden',
    '/variants/../.stxpress/record.sqlite /images/%2e%2e/errors/404.json',
  ),
  // A client may percent-encode the characters of a principal.
  ...alike(
    [`200 ${TOKEN}?`, `422 errors/422/${TOKEN}?`, ...NO_TOKEN],
    `/metadata/v1/ft/${encodeURIComponent(PRINCIPAL)} /metadata/v1/ft/%53${PRESSER.slice(1)}.press%2Dtoken`,
  ),
  // A path that cannot be decoded is malformed. A path with an invalid character is malformed, too.
  ...alike(['400 errors/400.json'], `/% /metadata/v1/ft/%FF /${TOKEN}%00 /images/x%00.png`),
  ...alike(BAD_TOKEN, `/m%65tadata/v1/ft/x /metadata/v1/ft/%20 /${TOKEN}%0A /${TOKEN}%252F /metadata/v1/ft/%2e%2e`),
  // An encoded slash is not a slash, and names do not contain it.
  ...alike(BAD_TOKEN, `/${TOKEN}%2F /metadata/v1/ft/..%2F${PRINCIPAL}`),
  ...alike(GENERAL_404, '/metadata%2Fv1%2Fft /docs%2Fstart.js /images%2Fx.png /images/a%2F..%2F..%2Ferrors%2F404.json'),
])('%s', (path, expected) => {
  // Candidates with an encoded slash are omitted, since no file has such a name.
  expect(describePlan(path).filter((line) => !line.includes('%2F'))).toEqual(expected);
});

test('no request reaches a file that is not a response', () => {
  const part = fc.oneof(
    fc.constantFrom(...'metadata v1 ft status extended contract v2 contracts interface pages'.split(' ')),
    fc.constantFrom('', ...'. .. %2e%2e ..%2F.. ..%2f..%2f..%2fetc %2F %5C..%5C.. a%5C.. %00 % ~'.split(' ')),
    fc.constantFrom(...'images variants errors 422 .stxpress record.sqlite serve.json index.json 1.json'.split(' ')),
    fc.constantFrom(
      ...'metadata%2Fv1 metadata%2Fv1%2Fft v2%2Fcontracts extended%2Fv1 variants%2F.. images%2F..'.split(' '),
    ),
    fc.constantFrom(`${PRESSER}.press-token`, PRESSER, 'press-token', 'docs', 'start.js', 'locale', 'de'),
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  // Half of the paths have a valid beginning, so that many of them match a rule.
  const start = fc.constantFrom(
    '',
    ...`/metadata/v1/ft /metadata%2Fv1/ft /v2%2Fcontracts/interface /v2/contracts/interface /extended%2Fv1/contract
    /images /variants/locale/de`.split(/\s+/),
  );
  const path = fc
    .tuple(start, fc.array(part, { minLength: 1, maxLength: 5 }))
    .map(([first, parts]) => `${first}/${parts.join('/')}`);
  const query = fc.dictionary(
    fc.constantFrom('locale', 'tip', 'offset', 'limit'),
    fc.oneof(fc.constantFrom('..', '../..', 'de', 'latest', '0', '7', '%2e', 'de/..'), fc.string({ maxLength: 5 })),
  );
  fc.assert(
    fc.property(path, query, (pathname, values) => {
      const candidates = planResponse(pathname, new URLSearchParams(values), SITE_RULES);
      for (const { status, file, needs, slice } of candidates) {
        const { pageFile, search, manifestFile } = slice?.list ?? ({} as Partial<ListRule>);
        for (const name of [file, needs, pageFile, search?.file, manifestFile].filter((path) => path !== undefined)) {
          expect(name).not.toMatch(/(?:^|[/\\])\.|\/\/|^\/|\/$|[\\\0]/);
          expect(name).toMatch(
            /^(?:metadata|extended|v2|variants|images|errors|docs)\b|^(?:index\.html|openapi\.json)$/,
          );
        }
        // Only files in errors/ have an error status.
        expect(file.startsWith('errors/')).toBe(status !== 200);
      }
      // The last candidate needs no other file, and each build has its file.
      expect(candidates.at(-1)).toEqual({
        status: expect.any(Number),
        file: expect.stringMatching(/^errors\/.*\.json$/),
      });
    }),
    { numRuns: 3_000 },
  );
});

describe('lists', () => {
  const WHOLE = ['200 metadata/v1/ft/index.json?', ...GENERAL_404];
  const filePlan = (page: string) => `200 metadata/v1/ft/pages/${page}.json?`;

  test('default', () => {
    const [cut, ...rest] = plan(LIST, 'limit=5&offset=38');
    expect(cut).toEqual({
      status: 200,
      file: MANIFEST,
      needs: MANIFEST,
      slice: {
        limit: 5,
        offset: 38,
        list: SITE_RULES.rules.find(({ path, list }) => path === 'metadata/v1/ft' && list !== undefined)?.list,
      },
    });
    expect(rest).toEqual([{ status: 404, file: 'errors/404.json' }]);
  });

  test.each<[string, string]>([
    ['offset=40', '20/40'],
    ['limit=20&offset=40', '20/40'],
    ['offset=40&limit=20', '20/40'],
    ['limit=60&offset=120', '60/120'],
    ['limit=60', '60/0'],
    ['limit=20', '20/0'],
    ['offset=0', '20/0'],
    ['limit=60&offset=0', '60/0'],
    ['limit=60&offset=', '60/0'],
    ['limit=&offset=20&symbol=', '20/20'],
    ['limit=60&limit=20', '60/0'],
    // There is no page with this offset, so the response is cut from other pages.
    ['limit=60&offset=20', '60/20'],
  ])('serves a file for %s', (query, page) => {
    const [limit, offset] = page.split('/');
    expect(describePlan(LIST, query)).toEqual([filePlan(page), `200 ${MANIFEST}? ${limit}@${offset}`, ...GENERAL_404]);
  });

  test('serves the first page for an empty query', () => {
    for (const query of ['', 'limit=&offset=', 'symbol=&order=', 'x=1', 'Limit=60', 'locale=de']) {
      expect([query, describePlan(LIST, query)]).toEqual([query, WHOLE]);
      expect([query, describePlan(`${LIST}/`, query)]).toEqual([query, WHOLE]);
    }
    // A request for a page by its own path ignores the query.
    expect(describePlan(`${LIST}/pages/20/20.json`, 'limit=1')).toEqual([filePlan('20/20'), ...GENERAL_404]);
  });

  test.each(
    `limit=0 limit=61 limit=-1 limit=1.5 limit=1e1 limit=%2B5 limit=0x10 limit=ten limit=1%202 limit=%0A5 limit=5%0A
      limit=99999999999999999999 limit=Infinity limit=%D9%A3 offset=-1 offset=1.5 offset=x offset=1e3
      offset=1000000000 offset=NaN limit=20&offset=.. limit=x&offset=0 limit=20&order=up order=ASC order_by=supply
      limit=61&symbol=a address=nonsense address=SP1 address=${COLLECTOR.toLowerCase()} valid_metadata_only=yes
      valid_metadata_only=1`.split(/\s+/),
  )('returns 400 for %s', (query) => {
    expect(describePlan(LIST, query)).toEqual(BAD_PAGE);
  });
});

test('rejects image names that no copy has, or that could get another content type', () => {
  for (const name of ['svg', 'html', 'constructor', 'toString', '__proto__', ''])
    expect([name, describePlan(`/images/x.${name}`)]).toEqual([name, GENERAL_404]);
  // A contract's name may end like a file of another type, here HTML.
  const [headers] = plan(`/metadata/v1/ft/${PRESSER}.html`).map((candidate) => headersOf(candidate, SITE_RULES));
  expect(headers).toEqual({ ...SITE_RULES.headers.common, ...SITE_RULES.headers.response });
});
