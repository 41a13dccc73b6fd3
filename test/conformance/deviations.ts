// Defines the expected responses of hosts that lack an ability: one for all requests that need the ability, or one for
// a single request.
import type { Ability } from '#hosts/host.ts';
import { PRESSER } from '../support/sample.ts';
import type { Case, Expected } from './expected.ts';
import * as expected from './expected.ts';
import { LIST } from './list-requests.ts';
import { SCRIPT, VERSIONED } from './requests.ts';
import { PATHS } from './site.ts';

const { FT, LOCALIZED, PRESS, UNCONFIRMED } = PATHS;
const { served, BAD_PAGE, NO_LOCALE, NOTHING, refused } = expected;

export interface Deviations {
  readonly byAbility?: Readonly<Partial<Record<Ability, Expected>>>;
  /** Expected responses by the name of the request. They have priority over `byAbility`. */
  readonly byCase?: Readonly<Record<string, Expected>>;
}

/** Expected responses of hosts that serve only list pages with 20 or 60 entries. */
const FULL_PAGES_ONLY = {
  'a slice of the list': BAD_PAGE,
  'the largest limit': BAD_PAGE,
  'a page of 60 within another': BAD_PAGE,
  'an offset beyond the end': BAD_PAGE,
};

const SEARCH = { search: BAD_PAGE, batch: NOTHING };
/** Expected responses of hosts that send a variant with the headers of the variant's file. */
const SHORT_CACHED_VARIANTS = {
  '?tip=latest of an unconfirmed contract': served(`/variants/tip/latest${UNCONFIRMED}`, expected.RESPONSE),
};

/** Expected responses of hosts whose program does not handle requests for scripts. */
const UNVERSIONED_SCRIPT = { 'a script of something else': VERSIONED };

/** Expects a status and any body, since the body depends on the server. */
const statusOnly = (status: number): Expected => ({ status });

/** Expected responses of hosts that do not decode the parameters of a query. */
const UNDECODED = { '?locale= with an encoded hyphen': NO_LOCALE, 'an encoded parameter': served(PRESS) };

export const DEVIATIONS: Readonly<Record<string, Deviations>> = {
  serve: {
    byAbility: {
      errors: NOTHING,
      tokenErrors: NOTHING,
      variants: served(PRESS),
      undeclared: served(PRESS),
      slices: LIST,
      search: LIST,
      batch: NOTHING,
      unversioned: NOTHING,
      versions: SCRIPT,
      methods: served(PRESS),
      preflight: served(PRESS),
      hidden: statusOnly(200),
    },
    byCase: {
      '?locale= of digits': served(LOCALIZED),
      '?tip=latest of an unconfirmed contract': NOTHING,
      'a list in another case': LIST,
      'the tokens of a collection': NOTHING,
      'a page of a collection': NOTHING,
      'a page of the collections': served('/metadata/v1/sft/index.json'),
      '?locale= of a token without locales': served(`${FT}/${PRESSER}.whole-token`),
      '?locale= of a missing token': NOTHING,
      'HEAD of a missing token': { ...NOTHING, body: { text: '' } },
      'a dotfile': NOTHING,
      '?locale= of 10 KB': served(PRESS),
      'two slashes': served(PRESS),
      'two slashes within': served(PRESS),
      'dots above the root': statusOnly(400),
      'encoded dots above the root': statusOnly(400),
      'a NUL': statusOnly(500),
      'half an escape': statusOnly(400),
      'a path of 10 KB': statusOnly(500),
      '/_redirects': NOTHING,
      'encoded slashes': served(PRESS),
      'a range': statusOnly(206),
      'a range beyond the end': statusOnly(416),
    },
  },
  nginx: {
    byAbility: SEARCH,
    byCase: {
      ...FULL_PAGES_ONLY,
      ...UNDECODED,
      'dots above the root': refused(400, { error: 'Bad Request' }),
      'encoded dots above the root': refused(400, { error: 'Bad Request' }),
      'encoded slashes': served(PRESS),
      'a parameter in another case': served(`/variants/locale/de${PRESS}`),
    },
  },
  caddy: {
    byAbility: SEARCH,
    byCase: { ...FULL_PAGES_ONLY, ...UNDECODED, 'half an escape': statusOnly(400), 'encoded slashes': served(PRESS) },
  },
  apache: {
    byAbility: SEARCH,
    byCase: {
      ...SHORT_CACHED_VARIANTS,
      ...FULL_PAGES_ONLY,
      ...UNDECODED,
      '?locale= of 10 KB': statusOnly(414),
      'a query of 10 KB': statusOnly(414),
      'a path of 10 KB': statusOnly(414),
      'dots above the root': statusOnly(400),
      'encoded dots above the root': statusOnly(400),
      'a NUL': statusOnly(404),
      'encoded slashes': statusOnly(404),
      '.htaccess': statusOnly(403),
      'half an escape': statusOnly(400),
    },
  },
  cloudflare: { byCase: UNVERSIONED_SCRIPT },
  's3-cloudfront': {
    byCase: {
      ...UNVERSIONED_SCRIPT,
      'a token without an Origin': served(PRESS, {
        'access-control-allow-origin': undefined,
        'access-control-expose-headers': undefined,
      }),
      'a missing image': statusOnly(404),
      'an image with a trailing slash': statusOnly(404),
      '?locale= of 10 KB': statusOnly(414),
      'a query of 10 KB': statusOnly(414),
      'a path of 10 KB': statusOnly(414),
    },
  },
};

/** Expected responses of `stxpress serve` that differ because it supports ranges. */
const LOCAL_SERVER: Readonly<Record<string, Expected>> = {
  'a range': statusOnly(206),
  'a range beyond the end': statusOnly(416),
};

/** Returns the response that a server must send to a request. */
export function expectedResponse(server: string, { name, needs, expect }: Case): Expected {
  const deviations = server === 'stxpress-serve' ? { byCase: LOCAL_SERVER, byAbility: {} } : DEVIATIONS[server];
  return deviations?.byCase?.[name] ?? (needs === undefined ? undefined : deviations?.byAbility?.[needs]) ?? expect;
}
