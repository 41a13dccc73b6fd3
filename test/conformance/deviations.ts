// What servers answer that cannot do all of it: of each ability that a host lacks, or of single requests that need it.
import type { Ability } from '#hosts/host.ts';
import { GENERAL_ERRORS } from '#routes/all.ts';
import { HEADER_RULES } from '#serving/headers.ts';
import { PRESSER } from '../support/sample.ts';
import type { Case, Expected } from './expected.ts';
import * as expected from './expected.ts';
import { LIST, SCRIPT } from './requests.ts';
import { DEPLOYER, PATHS } from './site.ts';

const { FT, LOCALIZED, PRESS, STAMPS, UNCONFIRMED } = PATHS;
const { answered, BAD_PAGE, BELOW, hasLonger, malformedName, NO_CONTRACT, NO_INTERFACE, NO_LOCALE, NO_TOKEN } =
  expected;
const { NOTHING, refused, refusedBy, table } = expected;

export interface Deviations {
  readonly byAbility?: Readonly<Partial<Record<Ability, Expected>>>;
  /** By the name of the request; these come first. */
  readonly byCase?: Readonly<Record<string, Expected>>;
}

/** Of hosts that have pages of 20 and of 60, and nothing else. */
const WHOLE_PAGES = {
  'a part of the list': BAD_PAGE,
  'the most at once': BAD_PAGE,
  'a page of 60 within another': BAD_PAGE,
  'behind the end': BAD_PAGE,
};

const SEARCH = { search: BAD_PAGE, batch: NOTHING };
/** Of hosts that look at no query of the tokens of a collection. */
const FIRST_PAGE_OF_COLLECTIONS = { 'a page of them': answered(`${STAMPS}/index.json`) };

/** Of hosts that give a variant the headers of its own file. */
const BRIEF_VARIANTS = {
  '?tip=latest of an unconfirmed contract': answered(`/variants/tip/latest${UNCONFIRMED}`, {
    'cache-control': HEADER_RULES.answer['Cache-Control'],
  }),
};

/** An answer of the server's own, in whatever form. */
const own = (status: number): Expected => ({ status });

/** Of hosts that compare the query as it is sent. */
const UNDECODED = { '?locale= with an encoded hyphen': NO_LOCALE, 'an encoded parameter': answered(PRESS) };

export const DEVIATIONS: Readonly<Record<string, Deviations>> = {
  serve: {
    byAbility: {
      errors: NOTHING,
      ownErrors: NOTHING,
      variants: answered(PRESS),
      undeclared: answered(PRESS),
      slices: LIST,
      search: LIST,
      batch: NOTHING,
      unversioned: NOTHING,
      versions: SCRIPT,
      methods: answered(PRESS),
      preflight: answered(PRESS),
      hidden: own(200),
    },
    byCase: {
      '?locale= of digits': answered(LOCALIZED),
      '?tip=latest of an unconfirmed contract': NOTHING,
      'a list in another case': LIST,
      'the tokens of a collection': NOTHING,
      'a page of them': NOTHING,
      'a page of the collections': answered('/metadata/v1/sft/index.json'),
      '?locale= of a token without any': answered(`${FT}/${PRESSER}.whole-token`),
      '?locale= of no token': NOTHING,
      'HEAD of nothing': { ...NOTHING, body: { text: '' } },
      'a dotfile': NOTHING,
      '?locale= of 10 KB': answered(PRESS),
      'two slashes': answered(PRESS),
      'two slashes within': answered(PRESS),
      'dots above the root': own(400),
      'encoded dots above the root': own(400),
      'a NUL': own(500),
      'half an escape': own(400),
      'a path of 10 KB': own(500),
      '/_redirects': NOTHING,
      '/_headers': NOTHING,
      '/vercel.json': NOTHING,
      '.htaccess': NOTHING,
      'encoded slashes': answered(PRESS),
      'a range': own(206),
      'a range behind the end': own(416),
    },
  },
  nginx: {
    byAbility: SEARCH,
    byCase: {
      ...WHOLE_PAGES,
      ...UNDECODED,
      'dots above the root': refused(400, { error: 'Bad Request' }),
      'encoded dots above the root': refused(400, { error: 'Bad Request' }),
      'encoded slashes': answered(PRESS),
      'a parameter in another case': answered(`/variants/locale/de${PRESS}`),
    },
  },
  caddy: {
    byAbility: SEARCH,
    byCase: { ...WHOLE_PAGES, ...UNDECODED, 'half an escape': own(400), 'encoded slashes': answered(PRESS) },
  },
  apache: {
    byAbility: SEARCH,
    byCase: {
      ...BRIEF_VARIANTS,
      ...WHOLE_PAGES,
      ...UNDECODED,
      '?locale= of 10 KB': own(414),
      'a query of 10 KB': own(414),
      'a path of 10 KB': own(414),
      'dots above the root': own(400),
      'encoded dots above the root': own(400),
      'a NUL': own(404),
      'encoded slashes': own(404),
      '.htaccess': own(403),
      'half an escape': own(400),
    },
  },
  netlify: {
    byAbility: { ...SEARCH, versions: SCRIPT, methods: own(405), preflight: own(405) },
    byCase: {
      ...BRIEF_VARIANTS,
      'a table': table('tokens.parquet', 'application/octet-stream'),
      'what tables are there': table('README.md', 'text/markdown; charset=UTF-8'),
      '?locale= repeated': answered(`/variants/locale/pt-BR${PRESS}`),
      'an encoded parameter': answered(PRESS),
      'an address alone': answered(`${FT}/${DEPLOYER}.html`),
      'a variant with a trailing slash': answered(`/variants/locale/de${PRESS}`),
      'an image with a trailing slash': own(200),
      'encoded slashes': NO_TOKEN,
      '?locale= of no token': NO_LOCALE,
      ...Object.fromEntries(
        BELOW.map((route) => [malformedName(route), refusedBy(route.notFound ?? GENERAL_ERRORS.notFound)]),
      ),
      'no such collection': NOTHING,
      'a malformed path of nft-tokens': NOTHING,
      'a malformed path of sft-tokens': NOTHING,
      'no principal': NO_TOKEN,
      'a name that begins with a digit': NO_TOKEN,
      'no contract id': NO_CONTRACT,
      'no address': NO_INTERFACE,
      'a trailing slash': answered(PRESS),
      'doubly encoded dots': NO_TOKEN,
      'a doubly encoded letter': NO_TOKEN,
      ...WHOLE_PAGES,
      ...FIRST_PAGE_OF_COLLECTIONS,
      'a number with a leading zero': NO_TOKEN,
      'a number too large': NO_TOKEN,
      'no token without a version': NOTHING,
      'what is no number': NO_TOKEN,
      ...Object.fromEntries(
        BELOW.filter(hasLonger).map(({ id }) => [`a path of ${id} with a part too many`, NO_TOKEN]),
      ),
      'two slashes within': NO_TOKEN,
      'a NUL': NO_TOKEN,
      'half an escape': own(400),
    },
  },
  vercel: {
    byAbility: { ...SEARCH, versions: SCRIPT },
    byCase: {
      ...WHOLE_PAGES,
      '?locale= of no token': NO_LOCALE,
      'two slashes': own(308),
      'two slashes within': own(308),
      'half an escape': NOTHING,
    },
  },
  's3-cloudfront': {
    byAbility: { ...SEARCH, versions: SCRIPT },
    byCase: {
      ...BRIEF_VARIANTS,
      ...WHOLE_PAGES,
      ...FIRST_PAGE_OF_COLLECTIONS,
      '?locale= of no token': NO_LOCALE,
      'an encoded parameter': answered(PRESS),
      'encoded slashes': answered(PRESS),
      '?locale= of 10 KB': own(414),
      'a query of 10 KB': own(414),
      'a path of 10 KB': own(414),
    },
  },
};

/** The local server does more than the table of hosts asks for: it answers ranges. */
const LOCAL_SERVER: Readonly<Record<string, Expected>> = { 'a range': own(206), 'a range behind the end': own(416) };

/** What a server must answer, by its own abilities. */
export function expectedOf(server: string, { name, needs, expect }: Case): Expected {
  const deviations = server === 'stxpress-serve' ? { byCase: LOCAL_SERVER, byAbility: {} } : DEVIATIONS[server];
  return deviations?.byCase?.[name] ?? (needs === undefined ? undefined : deviations?.byAbility?.[needs]) ?? expect;
}
