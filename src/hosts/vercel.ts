// Renders vercel.json, whose routes are tried in order: before the files, and where none is.
import { escapeDots, type RuleAnswer, type SiteRule, type SiteRules } from '#serving/rules.ts';
import {
  BUILD_FOR_ANOTHER,
  chosenAnswers,
  fillFile,
  type Host,
  type HostSite,
  lastAnswer,
  nameGroup,
  ownAnswer,
  ownErrors,
  refusals,
  unversionedPattern,
  WHOLE_PAGES,
} from './host.ts';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  use: '`vercel deploy --prod dist`, with `vercel.json`',
  otherwise: {
    undeclared: 'yes, and 422 instead of 404 for a token that is not there',
    ...WHOLE_PAGES,
    versions: 'for a minute',
    malformed: 'two slashes: 308 to one; an incomplete percent-escape: 404',
  },
  limits: [
    { of: 'files', most: 15_000, wayOut: BUILD_FOR_ANOTHER },
    {
      of: 'rules',
      most: 2_048,
      wayOut: 'Index on until fewer tokens are pending or in error, or build for another host.',
    },
    { of: 'bytes in a file', most: 100_000_000, wayOut: 'Build for another host.' },
  ],
  countRules: (site) => routes(site).length,
  files: (site) => [
    { place: 'site', path: 'vercel.json', text: `${JSON.stringify({ routes: routes(site) }, null, 2)}\n` },
    { place: 'site', path: '.vercelignore', text: '# What Vercel leaves out of the deployment.\n.stxpress\n' },
  ],
};

type VercelRoute = Readonly<Record<string, unknown>>;

function routes(site: HostSite): VercelRoute[] {
  const { headers, rules, methodNotAllowed, notFound } = site.rules;
  const error = (src: string, { status, file }: RuleAnswer, more: VercelRoute = {}): VercelRoute => ({
    src,
    status,
    dest: `/${file}`,
    headers: headers.error,
    ...more,
  });
  const { Allow } = headers.preflight;
  const all: VercelRoute[] = [
    { src: `/${unversionedPattern(site.rules)}`, dest: `/${site.rules.unversioned.to}/$1`, continue: true },
    { src: '/.*', headers: { ...headers.common, ...headers.answer }, continue: true },
    ...rules.flatMap(({ match, headers: own }) =>
      own === undefined ? [] : [{ src: `/${match}`, headers: own, continue: true }],
    ),
    { src: '/.*', methods: ['OPTIONS'], headers: headers.preflight, status: 204 },
    error('/.*', methodNotAllowed, {
      methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
      headers: { ...headers.error, Allow },
    }),
    error(`/(?!${publicPaths(site.rules)}).*`, notFound),
    ...rules.flatMap((rule) => variants(rule)),
    ...ownErrors(site).map(({ path, status, file }) =>
      error(`(?:/variants/[^/]+/[^/]+)?/${escapeDots(path)}`, { status, file }),
    ),
    ...rules.flatMap((rule) => undeclared(rule, error)),
    ...rules.flatMap((rule) => {
      const own = ownAnswer(rule);
      return own === undefined || own.file === '{path}' || own.file === rule.path
        ? []
        : [{ src: `/${rule.match}`, dest: `/${fillFile(own.file, '$1')}`, check: true }];
    }),
    { handle: 'filesystem' },
    ...rules.flatMap((rule) => undeclaredPages(rule, error)),
    ...rules.map((rule) => error(`/${rule.match}`, lastAnswer(rule))),
  ];
  // Two contracts may differ by case alone.
  return all.map((route) => ('src' in route ? { ...route, caseSensitive: true } : route));
}

const ASKED = '[\\s\\S]+';

/** Answers with an asked variant if it is a file; if not, the routes that follow see the path of the variant. */
function variants(rule: SiteRule): VercelRoute[] {
  return chosenAnswers(rule).map(({ file, query }) => {
    const asked = Object.entries(query).filter(([, pattern]) => pattern !== '');
    const absent = Object.keys(query).filter((key) => query[key] === '');
    const [group = ''] = asked.find(([, pattern]) => pattern.includes('(')) ?? [];
    return {
      src: `/${rule.match}`,
      has: asked.map(([key, pattern]) => ({ type: 'query', key, value: nameGroup(pattern, key) })),
      ...(absent.length === 0 ? {} : { missing: absent.map((key) => ({ type: 'query', key, value: ASKED })) }),
      dest: `/${fillFile(file, '$1', `$${group}`)}`,
      check: true,
    };
  });
}

type ErrorRoute = (src: string, answer: RuleAnswer, more: VercelRoute) => VercelRoute;

const isAsked = (key: string): VercelRoute => ({ has: [{ type: 'query', key, value: ASKED }] });

/** The answer where an asked variant is no file: an error, or the path itself. */
function undeclared(rule: SiteRule, error: ErrorRoute): VercelRoute[] {
  const src = rule.isFolder ? `(?:/variants/[^/]+/[^/]+)?/${rule.match}` : `/${rule.match}`;
  const refused = refusals(rule);
  return refused.length > 0
    ? refused.flatMap((refusal) => refusal.asks.map((key) => error(src, refusal, isAsked(key))))
    : chosenAnswers(rule).flatMap(({ query }) =>
        Object.keys(query).map((key) => ({ src, ...isAsked(key), dest: '/$1', continue: true })),
      );
}

/** The answer where an asked page is no file: it is refused as the list's, and not as a page that is not there. */
function undeclaredPages(rule: SiteRule, error: ErrorRoute): VercelRoute[] {
  if (rule.list === undefined) return [];
  // Any path may be that of a list below a parameter.
  const path = rule.isFolder ? `${rule.path}/.+` : '';
  const src = `/${fillFile(escapeDots(rule.list.pageFile.replace('{limit}/{offset}', '{value}')), path, '.+')}`;
  return refusals(rule).flatMap((refusal) => refusal.asks.map((key) => error(src, refusal, isAsked(key))));
}

/** Matches all that the site serves: everything else is hidden, however its name is encoded. */
function publicPaths({ rules }: SiteRules): string {
  const served = rules.filter((rule) => ownAnswer(rule) !== undefined);
  const folders = served.flatMap(({ path, isFolder }) => (isFolder ? [path.split('/')[0]] : []));
  const exact = served.flatMap(({ match, isFolder }) => (isFolder ? [] : [match]));
  return `(?:${[...new Set(folders)].join('|')})(?:/|$)|(?:${exact.join('|')})$`;
}
