// What servers answer that cannot do all of it: of each ability that a host lacks, or of single requests that need it.
import type { Ability } from '#hosts/host.ts';
import { HEADER_RULES } from '#serving/headers.ts';
import { PRESSER } from '../support/sample.ts';
import type { Case, Expected } from './expected.ts';
import * as expected from './expected.ts';
import { LIST, SCRIPT, VERSIONED } from './requests.ts';
import { PATHS } from './site.ts';

const { FT, LOCALIZED, PRESS, UNCONFIRMED } = PATHS;
const { answered, BAD_PAGE, NO_LOCALE, NOTHING, refused } = expected;

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
/** Of hosts that give a variant the headers of its own file. */
const BRIEF_VARIANTS = {
  '?tip=latest of an unconfirmed contract': answered(`/variants/tip/latest${UNCONFIRMED}`, {
    'cache-control': HEADER_RULES.response['Cache-Control'],
  }),
};

/** For hosts that send scripts without a program. */
const FOREVER = { 'a script of something else': VERSIONED };

/** An answer of the server's own, in whatever form. */
const own = (status: number): Expected => ({ status });

/** Of hosts that compare the query as it is sent. */
const UNDECODED = { '?locale= with an encoded hyphen': NO_LOCALE, 'an encoded parameter': answered(PRESS) };

export const DEVIATIONS: Readonly<Record<string, Deviations>> = {
  serve: {
    byAbility: {
      errors: NOTHING,
      tokenErrors: NOTHING,
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
  cloudflare: { byCase: FOREVER },
  netlify: { byCase: FOREVER },
  vercel: { byCase: { ...FOREVER, 'two slashes': own(308), 'two slashes within': own(308) } },
  's3-cloudfront': {
    byCase: {
      ...FOREVER,
      'a token for no page': answered(PRESS, {
        'access-control-allow-origin': undefined,
        'access-control-expose-headers': undefined,
      }),
      'no image': own(404),
      'an image with a trailing slash': own(404),
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
