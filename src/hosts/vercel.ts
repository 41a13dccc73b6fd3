// Renders vercel.json, whose routes are tried in order: before the files, and where none is.
import { escapeDots, type RuleAnswer } from '#serving/rules.ts';
import {
  BUILD_FOR_ANOTHER,
  casesOf,
  fillFile,
  type Host,
  type HostSite,
  nameGroup,
  ownErrors,
  type RuleCases,
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
    { where: 'site', path: 'vercel.json', text: `${JSON.stringify({ routes: routes(site) }, null, 2)}\n` },
    { where: 'site', path: '.vercelignore', text: '# What Vercel leaves out of the deployment.\n.stxpress\n' },
  ],
};

type VercelRoute = Readonly<Record<string, unknown>>;

function routes(site: HostSite): VercelRoute[] {
  const { headers, methodNotAllowed, notFound } = site.rules;
  const rules = casesOf(site.rules);
  const error = (src: string, { status, file }: RuleAnswer, more: VercelRoute = {}): VercelRoute => {
    return { src, status, dest: `/${file}`, headers: headers.error, ...more };
  };
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
    error(`/(?!${publicPaths(rules)}).*`, notFound),
    ...rules.flatMap(variants),
    ...ownErrors(site).map(({ path, status, file }) =>
      error(`(?:/variants/[^/]+/[^/]+)?/${escapeDots(path)}`, { status, file }),
    ),
    ...rules.flatMap((rule) => undeclared(rule, error)),
    ...rules.flatMap(({ own, path, match }) =>
      own === undefined || own.file === '{path}' || own.file === path
        ? []
        : [{ src: `/${match}`, dest: `/${fillFile(own.file, '$1')}`, check: true }],
    ),
    { handle: 'filesystem' },
    ...rules.flatMap((rule) => undeclaredPages(rule, error)),
    ...rules.map(({ match, last }) => error(`/${match}`, last)),
  ];
  // Two contracts may differ by case alone.
  return all.map((route) => ('src' in route ? { ...route, caseSensitive: true } : route));
}

const ASKED = '[\\s\\S]+';

/** Answers with an asked variant if it is a file; if not, the routes that follow see the path of the variant. */
function variants({ match, chosen }: RuleCases): VercelRoute[] {
  return chosen.map(({ file, query }) => {
    const asked = Object.entries(query).filter(([, pattern]) => pattern !== '');
    const absent = Object.keys(query).filter((key) => query[key] === '');
    const [group = ''] = asked.find(([, pattern]) => pattern.includes('(')) ?? [];
    return {
      src: `/${match}`,
      has: asked.map(([key, pattern]) => ({ type: 'query', key, value: nameGroup(pattern, key) })),
      missing: absent.length === 0 ? undefined : absent.map((key) => ({ type: 'query', key, value: ASKED })),
      dest: `/${fillFile(file, '$1', `$${group}`)}`,
      check: true,
    };
  });
}

type ErrorRoute = (src: string, answer: RuleAnswer, more: VercelRoute) => VercelRoute;

const isAsked = (key: string): VercelRoute => ({ has: [{ type: 'query', key, value: ASKED }] });

/** The answer where an asked variant is no file: an error, or the path itself. */
function undeclared({ isFolder, match, refusals, chosen }: RuleCases, error: ErrorRoute): VercelRoute[] {
  const src = isFolder ? `(?:/variants/[^/]+/[^/]+)?/${match}` : `/${match}`;
  return refusals.length > 0
    ? refusals.flatMap((refusal) => refusal.asks.map((key) => error(src, refusal, isAsked(key))))
    : chosen.flatMap(({ query }) =>
        Object.keys(query).map((key) => ({ src, ...isAsked(key), dest: '/$1', continue: true })),
      );
}

/** The answer where an asked page is no file: it is refused as the list's, and not as a page that is not there. */
function undeclaredPages(rule: RuleCases, error: ErrorRoute): VercelRoute[] {
  if (rule.list === undefined) return [];
  // Any path may be that of a list below a parameter.
  const path = rule.isFolder ? `${rule.path}/.+` : '';
  const src = `/${fillFile(escapeDots(rule.list.pageFile.replace('{limit}/{offset}', '{value}')), path, '.+')}`;
  return rule.refusals.flatMap((refusal) => refusal.asks.map((key) => error(src, refusal, isAsked(key))));
}

/** Matches all that the site serves: everything else is hidden, however its name is encoded. */
function publicPaths(rules: readonly RuleCases[]): string {
  const served = rules.filter(({ own }) => own !== undefined);
  const folders = served.flatMap(({ path, isFolder }) => (isFolder ? [path.split('/')[0]] : []));
  const exact = served.flatMap(({ match, isFolder }) => (isFolder ? [] : [match]));
  return `(?:${[...new Set(folders)].join('|')})(?:/|$)|(?:${exact.join('|')})$`;
}
