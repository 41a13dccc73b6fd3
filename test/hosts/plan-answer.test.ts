import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SITE_RULES } from '#describe/site-rules.ts';
import { headersOf } from '#hosts/edge/answer-request.js';
import { cutSlice, type ListPage, planList } from '#hosts/edge/list-slice.js';
import { type Candidate, planAnswer } from '#hosts/edge/plan-answer.js';
import { COLLECTOR, PRESSER } from '../support/sample.ts';

const TOKEN = `metadata/v1/ft/${PRESSER}.press-token`;
const LIST = '/metadata/v1/ft';

const plan = (path: string, query = ''): Candidate[] =>
  planAnswer(path, new URLSearchParams(query), SITE_RULES, planList);

/** Each candidate in few words: its status and file, in brackets what must be there where that is another file. */
const told = (path: string, query = ''): string[] =>
  plan(path, query).map(({ status, file, needs, slice }) => {
    const condition = needs === undefined ? '' : needs === file ? '?' : ` [${needs}]`;
    const part = slice === undefined ? '' : ` ${slice.limit}@${slice.offset}`;
    return `${status} ${file}${condition}${part}`;
  });

const GENERAL_404 = ['404 errors/404.json'];
const NO_TOKEN = ['404 errors/404/metadata/v1/ft.json'];
const BAD_TOKEN = ['400 errors/400/metadata/v1/ft.json'];
const BAD_PAGE = ['400 errors/400/metadata/v1/ft/index.json'];

describe('planAnswer', () => {
  test('default', () => {
    expect(plan(`/${TOKEN}`)).toEqual([
      { status: 200, file: TOKEN, needs: TOKEN, headers: SITE_RULES.headers.answer },
      { status: 422, file: `errors/422/${TOKEN}`, needs: `errors/422/${TOKEN}` },
      { status: 404, file: 'errors/404/metadata/v1/ft.json' },
    ]);
  });

  test.each<[string, string, string[]]>([
    ['a locale', 'locale=de', [`200 variants/locale/de/${TOKEN}?`, `422 errors/422/metadata/v1/ft.json [${TOKEN}]`]],
    [
      'a locale with dashes',
      'x=1&locale=pt-BR',
      [`200 variants/locale/pt-BR/${TOKEN}?`, `422 errors/422/metadata/v1/ft.json [${TOKEN}]`],
    ],
    [
      'of two the first',
      'locale=de&locale=fr',
      [`200 variants/locale/de/${TOKEN}?`, `422 errors/422/metadata/v1/ft.json [${TOKEN}]`],
    ],
    ['an empty one', 'locale=', []],
    ['one in capitals', 'LOCALE=de', []],
    ['a text that is none', 'locale=d%20e', [`422 errors/422/metadata/v1/ft.json [${TOKEN}]`]],
    ['one that is too long', `locale=${'x'.repeat(9)}`, [`422 errors/422/metadata/v1/ft.json [${TOKEN}]`]],
    ['one with a line after it', 'locale=de%0A', [`422 errors/422/metadata/v1/ft.json [${TOKEN}]`]],
    ['a parameter of another route', 'tip=latest&offset=20', []],
  ])('behavior: %s', (_, query, variants) => {
    const rest = [`200 ${TOKEN}?`, `422 errors/422/${TOKEN}?`, ...NO_TOKEN];
    expect(told(`/${TOKEN}`, query)).toEqual([...variants, ...rest]);
  });

  test('behavior: a variant that is not there is answered as the route says', () => {
    const path = `v2/contracts/interface/${COLLECTOR}/unconfirmed`;
    const rest = [`200 ${path}?`, '404 errors/404/v2/contracts/interface.json'];
    expect(told(`/${path}`, 'tip=latest')).toEqual([`200 variants/tip/latest/${path}?`, ...rest]);
    for (const query of ['', 'tip=', 'tip=0xff', 'tip=latest%2F..', 'tip=LATEST'])
      expect(told(`/${path}`, query)).toEqual(rest);
  });

  test.each([
    '..',
    '.',
    '../../errors',
    '..%2F..%2F.stxpress',
    'de/..',
    'de%2F..%2F..%2Fserve.json',
    '%2e%2e',
    '%252e%252e%252f',
    '..%5C..',
    'de%00',
    '%00',
    '/etc/passwd',
    'de/',
    '{0}',
    '$%26',
    '$0',
    '-de',
    'de-',
    '%F0%9F%98%80',
    'constructor.',
    '%C2%A0de',
  ])('behavior: the value %s reaches no path', (value) => {
    for (const name of ['locale', 'tip', 'offset', 'limit']) {
      for (const path of [`/${TOKEN}`, `/v2/contracts/interface/${COLLECTOR}/unconfirmed`, LIST]) {
        for (const { file, needs } of plan(path, `${name}=${value}`)) {
          expect(file).not.toMatch(/^variants/);
          expect(needs ?? '').not.toMatch(/^variants/);
        }
      }
    }
  });

  test.each<[string, string[]]>([
    ['/', ['200 index.html?', ...GENERAL_404]],
    ['/docs', ['200 docs/index.html?', ...GENERAL_404]],
    ['/docs/', ['200 docs/index.html?', ...GENERAL_404]],
    ['/docs/start.js', ['200 docs/start.js?', ...GENERAL_404]],
    ['/docs/start.js/', GENERAL_404],
    ['/docs/index.html', ['200 docs/index.html?', ...GENERAL_404]],
    ['/index.html', ['200 index.html?', ...GENERAL_404]],
    ['/openapi.json', ['200 openapi.json?', ...GENERAL_404]],
    ['/metadata/v1', ['200 metadata/v1/index.json?', ...GENERAL_404]],
    ['/metadata/v1/', ['200 metadata/v1/index.json?', ...GENERAL_404]],
    ['/metadata/v1/index.json', ['200 metadata/v1/index.json?', ...GENERAL_404]],
    ['/metadata/v1/ft/', ['200 metadata/v1/ft/index.json?', ...GENERAL_404]],
    ['/metadata/v1/ft/index.json', ['200 metadata/v1/ft/index.json?', ...GENERAL_404]],
    ['/metadata/v1/ft/pages/1.json', ['200 metadata/v1/ft/pages/1.json?', ...GENERAL_404]],
    ['/metadata/v1/ft/pages/0.json', NO_TOKEN],
    ['/metadata/v1/ft/pages/01.json', NO_TOKEN],
    ['/metadata/v1/ft/pages/1xjson', NO_TOKEN],
    ['/metadata/v1/ft/pages', BAD_TOKEN],
    [`/${TOKEN}/`, NO_TOKEN],
    [`/${TOKEN}/1`, NO_TOKEN],
    ['/metadata/v1/ft/nonsense', BAD_TOKEN],
    ['/metadata', GENERAL_404],
    ['/metadata/v1/other', GENERAL_404],
    ['/metadata/v1x', GENERAL_404],
    ['/extended/v1/contract', GENERAL_404],
    ['/extended/v1/contract/', ['404 errors/404/extended/v1/contract.json']],
    ['/favicon.ico', GENERAL_404],
    ['/serve.json', GENERAL_404],
    ['/404.html', GENERAL_404],
    ['/.htaccess', GENERAL_404],
    ['/.stxpress/record.sqlite', GENERAL_404],
    ['/errors/404.json', GENERAL_404],
    [`/errors/422/${TOKEN}`, GENERAL_404],
    [`/variants/locale/de/${TOKEN}`, [`200 variants/locale/de/${TOKEN}?`, ...GENERAL_404]],
    ['/images/x.png', ['200 images/x.png?', ...GENERAL_404]],
    ['/images/', GENERAL_404],
    ['/constructor', GENERAL_404],
    ['/__proto__', GENERAL_404],
  ])('behavior: %s', (path, expected) => {
    expect(told(path)).toEqual(expected);
  });

  test.each<[string, string[]]>([
    // A principal may be encoded, as any client may do.
    [
      `/metadata/v1/ft/${encodeURIComponent(`${PRESSER}.press-token`)}`,
      [`200 ${TOKEN}?`, `422 errors/422/${TOKEN}?`, ...NO_TOKEN],
    ],
    [
      `/metadata/v1/ft/%53${PRESSER.slice(1)}.press%2Dtoken`,
      [`200 ${TOKEN}?`, `422 errors/422/${TOKEN}?`, ...NO_TOKEN],
    ],
    ['/m%65tadata/v1/ft/x', BAD_TOKEN],
    // What cannot be decoded is malformed, and so is what no name can have.
    ['/%', ['400 errors/400.json']],
    ['/metadata/v1/ft/%E0%A4%A', ['400 errors/400.json']],
    ['/metadata/v1/ft/%FF', ['400 errors/400.json']],
    [`/${TOKEN}%00`, ['400 errors/400.json']],
    ['/%00', ['400 errors/400.json']],
    ['/images/x%00.png', ['400 errors/400.json']],
    ['/metadata/v1/ft/%20', BAD_TOKEN],
    [`/${TOKEN}%0A`, BAD_TOKEN],
    [`/${TOKEN}%252F`, BAD_TOKEN],
    // An encoded slash is part of a name, and no name has one.
    [`/${TOKEN}%2F`, BAD_TOKEN],
    [`/metadata/v1/ft/..%2F${PRESSER}.press-token`, BAD_TOKEN],
    ['/metadata%2Fv1%2Fft', GENERAL_404],
    ['/docs%2Fstart.js', GENERAL_404],
    ['/images%2Fx.png', GENERAL_404],
    ['/images/a%2F..%2F..%2Ferrors%2F404.json', GENERAL_404],
  ])('behavior: encoded, %s', (path, expected) => {
    // A name with an encoded slash is that of no file.
    expect(told(path).filter((line) => !line.includes('%2F'))).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['//', GENERAL_404],
    ['///', GENERAL_404],
    ['//docs', GENERAL_404],
    ['/docs//', GENERAL_404],
    ['//metadata/v1', GENERAL_404],
    ['/metadata//v1', GENERAL_404],
    ['/metadata/v1//', GENERAL_404],
    ['/metadata/v1/ft//', GENERAL_404],
    [`/metadata/v1/ft//${PRESSER}.press-token`, GENERAL_404],
    [`//${TOKEN}`, GENERAL_404],
    ['/images//x.png', GENERAL_404],
    [`/variants/locale/de//${TOKEN}`, GENERAL_404],
    // Dot segments, where a server does not take them out itself.
    ['/.', GENERAL_404],
    ['/..', GENERAL_404],
    ['/../index.html', GENERAL_404],
    ['/docs/../openapi.json', GENERAL_404],
    ['/images/../errors/404.json', GENERAL_404],
    ['/images/./x.png', GENERAL_404],
    ['/images/.hidden', GENERAL_404],
    ['/variants/../.stxpress/record.sqlite', GENERAL_404],
    ['/metadata/v1/ft/..', BAD_TOKEN],
    ['/metadata/v1/ft/.', BAD_TOKEN],
    [`/metadata/v1/ft/../${PRESSER}.press-token`, NO_TOKEN],
    ['/images/%2e%2e/errors/404.json', GENERAL_404],
    ['/metadata/v1/ft/%2e%2e', BAD_TOKEN],
  ])('behavior: %s leads nowhere', (path, expected) => {
    expect(told(path)).toEqual(expected);
  });

  test('behavior: no request reaches a file that is no answer', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'metadata',
        'v1',
        'ft',
        'status',
        'extended',
        'contract',
        'v2',
        'contracts',
        'interface',
        'pages',
      ),
      fc.constantFrom(
        '',
        '.',
        '..',
        '%2e%2e',
        '..%2F..',
        '..%2f..%2f..%2fetc',
        '%2F',
        '%5C..%5C..',
        'a%5C..',
        '%00',
        '%',
        '~',
      ),
      fc.constantFrom(
        'images',
        'variants',
        'errors',
        '422',
        '.stxpress',
        'record.sqlite',
        'serve.json',
        'index.json',
        '1.json',
      ),
      fc.constantFrom(
        'metadata%2Fv1',
        'metadata%2Fv1%2Fft',
        'v2%2Fcontracts',
        'extended%2Fv1',
        'variants%2F..',
        'images%2F..',
      ),
      fc.constantFrom(`${PRESSER}.press-token`, PRESSER, 'press-token', 'docs', 'start.js', 'locale', 'de'),
      fc.string({ unit: 'binary', maxLength: 6 }).map((text) => encodeURIComponent(text.toWellFormed())),
    );
    // Half of them begin as a path does, so that most of them come to something.
    const start = fc.constantFrom(
      '',
      '/metadata/v1/ft',
      '/metadata%2Fv1/ft',
      '/v2%2Fcontracts/interface',
      '/v2/contracts/interface',
      '/extended%2Fv1/contract',
      '/images',
      '/variants/locale/de',
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
        const candidates = planAnswer(pathname, new URLSearchParams(values), SITE_RULES, planList);
        for (const { status, file, needs, slice } of candidates) {
          for (const name of [file, ...(needs === undefined ? [] : [needs]), ...(slice?.pages ?? [])]) {
            expect(name).not.toMatch(/(?:^|[/\\])\.|\/\/|^\/|\/$|[\\\0]/);
            expect(name).toMatch(
              /^(?:metadata|extended|v2|variants|images|errors|docs)\b|^(?:index\.html|openapi\.json)$/,
            );
          }
          // A body from errors/ has a status that is none of an answer, and no other file has.
          expect(file.startsWith('errors/')).toBe(status !== 200);
        }
        // The last one always answers, and what it says is in every build.
        expect(candidates.at(-1)).toEqual({
          status: expect.any(Number),
          file: expect.stringMatching(/^errors\/.*\.json$/),
        });
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('lists', () => {
  const forms = SITE_RULES.parameters.offset ?? [];

  /** The offset of the page, by each form that matches: hosts differ in which of them they try first. */
  const pageOffsets = (offset: string): string[] =>
    forms.flatMap(({ pattern, value }) => {
      const [, group] = new RegExp(`^(?:${pattern})$`).exec(offset) ?? [];
      return group === undefined ? [] : [value.replace('{1}', group)];
    });

  test('default', () => {
    expect(plan(LIST, 'limit=5&offset=38')).toEqual([
      {
        status: 200,
        file: 'metadata/v1/ft/index.json',
        needs: 'metadata/v1/ft/index.json',
        headers: SITE_RULES.headers.answer,
        slice: {
          limit: 5,
          offset: 38,
          pages: ['metadata/v1/ft/pages/2.json', 'metadata/v1/ft/pages/3.json'],
          pageSize: 20,
          skip: 18,
        },
      },
      { status: 404, file: 'errors/404.json' },
    ]);
  });

  test('behavior: rules that cannot divide find the page of every offset', () => {
    const expected = (offset: number) => String(Math.floor(offset / 20) * 20);
    for (let offset = 0; offset <= 2_000; offset++)
      expect([offset, ...new Set(pageOffsets(String(offset)).map(Number))]).toEqual([offset, Number(expected(offset))]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999 }), (offset) => {
        expect(pageOffsets(String(offset))[0]).toBe(expected(offset));
      }),
    );
    for (const none of ['', '-1', '1.5', '1e3', ' 1', '+1', 'x', '٣', '123456789', '..', '1\n'])
      expect([none, pageOffsets(none)]).toEqual([none, []]);
  });

  test('behavior: a whole first page is a file, everything else is cut', () => {
    const whole = ['200 metadata/v1/ft/index.json?', ...GENERAL_404];
    for (const query of [
      '',
      'limit=20',
      'offset=0',
      'limit=20&offset=0',
      'limit=&offset=',
      'limit=020&offset=00',
      'limit=20&limit=3',
      'x=1',
    ])
      expect([query, told(LIST, query)]).toEqual([query, whole]);
    expect(told(`${LIST}/`, 'offset=20')).toEqual(['200 metadata/v1/ft/index.json? 20@20', ...GENERAL_404]);
    // A page is itself, whatever is asked of it.
    expect(told(`${LIST}/pages/2.json`, 'limit=1')).toEqual(['200 metadata/v1/ft/pages/2.json?', ...GENERAL_404]);
  });

  test.each([
    'limit=0',
    'limit=61',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=%2B5',
    'limit=0x10',
    'limit=ten',
    'limit=1%202',
    'limit=%0A5',
    'limit=5%0A',
    'limit=99999999999999999999',
    'limit=Infinity',
    'limit=%D9%A3',
    'offset=-1',
    'offset=1.5',
    'offset=x',
    'offset=1e3',
    'offset=1000000000',
    'offset=NaN',
    'limit=20&offset=..',
    'limit=x&offset=0',
  ])('error: 400, %s', (query) => {
    expect(told(LIST, query)).toEqual(BAD_PAGE);
  });

  test('behavior: every slice of every list is that of Array.slice', async () => {
    const slice = fc.record({
      total: fc.integer({ min: 0, max: 200 }),
      limit: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      offset: fc.option(fc.oneof(fc.integer({ min: 0, max: 250 }), fc.integer({ min: 0, max: 999_999_999 })), {
        nil: undefined,
      }),
    });
    await fc.assert(
      fc.asyncProperty(slice, async ({ total, limit, offset }) => {
        const list = Array.from({ length: total }, (_, index) => index);
        const files = pagesOf(list);
        const query = new URLSearchParams({
          ...(limit === undefined ? {} : { limit: String(limit) }),
          ...(offset === undefined ? {} : { offset: String(offset) }),
        });
        const [first] = planAnswer(LIST, query, SITE_RULES, planList);
        const read: string[] = [];
        const readPage = (file: string): ListPage => {
          read.push(file);
          const page = files.get(file);
          if (page === undefined) throw new Error(`${file} is not in the build`);
          return page;
        };
        const answer =
          first?.slice === undefined
            ? files.get(first?.file ?? '')
            : await cutSlice(first.slice, total, async (file) => readPage(file));
        const [from, count] = [offset ?? 0, limit ?? 20];
        expect(answer).toEqual({ limit: count, offset: from, total, results: list.slice(from, from + count) });
        // No more is read than holds the slice.
        expect(read.length).toBeLessThanOrEqual(Math.ceil(count / 20) + 1);
        expect(new Set(read).size).toBe(read.length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('headersOf', () => {
  test('default', () => {
    const { common, answer, error, image, document } = SITE_RULES.headers;
    const of = (path: string) => plan(path).map((candidate) => headersOf(candidate, SITE_RULES));
    expect(of(`/${TOKEN}`)).toEqual([
      { ...common, ...answer },
      { ...common, ...error },
      { ...common, ...error },
    ]);
    expect(of(`/${PRESSER}.html`)[0]).toEqual({ ...common, ...error });
    expect(of(`/metadata/v1/ft/${PRESSER}.html`)[0]).toEqual({ ...common, ...answer });
    expect(of('/images/x.png')[0]).toEqual({ ...common, ...image, 'Content-Type': 'image/png' });
    expect(of('/images/x.thumb.webp')[0]).toEqual({ ...common, ...image, 'Content-Type': 'image/webp' });
    // No copy of an image is called so, or could be sent with a type of its own.
    for (const name of ['svg', 'html', 'constructor', 'toString', '__proto__', ''])
      expect([name, told(`/images/x.${name}`)]).toEqual([name, GENERAL_404]);
    expect(of('/')[0]).toEqual({ ...common, ...document, 'Content-Type': 'text/html; charset=utf-8' });
    expect(of('/openapi.json')[0]).toEqual({ ...common, ...document, 'Content-Type': 'application/json' });
  });
});

/** The files of a list, as a build has them. */
function pagesOf(list: readonly number[]): Map<string, ListPage> {
  const files = new Map<string, ListPage>();
  for (let offset = 0; offset === 0 || offset < list.length; offset += 20) {
    const page = { limit: 20, offset, total: list.length, results: list.slice(offset, offset + 20) };
    files.set(`metadata/v1/ft/pages/${offset / 20 + 1}.json`, page);
    if (offset === 0) files.set('metadata/v1/ft/index.json', page);
  }
  return files;
}
