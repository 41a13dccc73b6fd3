// Renders vercel.json with rewrites of requests to files, and with their headers. Needs no edge function.
import type { Headers } from '#serving/headers.ts';
import { escapeDots, type FixedResponse, type RuleResponse, type SiteRules } from '#serving/rules.ts';
import {
  BUILD_FOR_ANOTHER,
  casesOf,
  FILE_FIRST,
  FOREVER,
  fillFile,
  HOST_FILE_NAMES,
  type Host,
  isFileFirst,
  type RuleCases,
  unversionedPattern,
  WHOLE_PAGES,
} from './host.ts';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  instructions: '`vercel deploy --prod dist`, with `vercel.json`',
  deviations: {
    tokenErrors: '404',
    variants: FILE_FIRST,
    undeclared: '404; 422 for a malformed value, also of a missing token',
    ...WHOLE_PAGES,
    slices: `${WHOLE_PAGES.slices}, or 404 for a page beyond the end`,
    versions: FOREVER,
    methods: 'Vercel’s responses',
    malformed: 'two slashes: 308 to one; otherwise Vercel’s responses',
  },
  limits: [
    { of: 'files', max: 15_000, advice: BUILD_FOR_ANOTHER },
    { of: 'bytes in a file', max: 100_000_000, advice: BUILD_FOR_ANOTHER },
  ],
  files: ({ rules }) => [
    { where: 'site', path: 'vercel.json', text: `${JSON.stringify({ routes: routes(rules) }, null, 2)}\n` },
    { where: 'site', path: '.vercelignore', text: '# Files that Vercel excludes from the deployment.\n.stxpress\n' },
  ],
};

interface Route {
  /** Matches the entire path: the source of a regular expression. */
  readonly src: string;
  /** The methods of the requests; undefined for all methods. */
  readonly methods?: readonly string[];
  readonly has?: readonly Condition[];
  readonly missing?: readonly Condition[];
  /** The path of the file. If no file has this path, a route with `check` continues with the path. */
  readonly dest?: string;
  readonly check?: true;
  readonly status?: number;
  readonly headers?: Headers;
  /** True if the following routes apply too. Later headers replace earlier ones. */
  readonly continue?: true;
}

interface Condition {
  readonly type: 'query';
  readonly key: string;
  /** Matches the entire value. */
  readonly value?: string;
}

/** Returns the routes in order. Those before `handle` apply to all paths, and those after it to missing files. */
function routes(site: SiteRules): object[] {
  const { headers, rules, notFound, unversioned } = site;
  const hidden = ['errors/.*', '\\..*', ...HOST_FILE_NAMES.map(escapeDots)].join('|');
  const cases = casesOf(site);
  const first: Route[] = [
    { src: '/.*', methods: ['OPTIONS'], status: 204, headers: { ...headers.common, ...headers.preflight } },
    { src: `/${unversionedPattern(site)}`, dest: `/${unversioned.to}/$1`, continue: true },
    { src: '/.*', headers: { ...headers.common, ...headers.response }, continue: true },
    ...rules.flatMap(({ match, headers: values, version }): Route[] => {
      const caching = version && { 'Cache-Control': version.caching };
      return values === undefined ? [] : [{ src: `/${match}`, headers: { ...values, ...caching }, continue: true }];
    }),
    refuse(`/(?:${hidden})`, notFound, site),
    ...cases.flatMap((rule) => [...(isFileFirst(rule) ? [] : queriesOf(rule, site)), ...plainOf(rule)]),
  ];
  const missing = [
    ...cases.filter(isFileFirst).flatMap((rule) => queriesOf(rule, site)),
    ...rules.flatMap(({ match, responses }) => responses.slice(-1).map((last) => refuse(`/${match}`, last, site))),
  ];
  // Two contracts may have names that differ only in case.
  const withCase = (route: Route) => ({ ...route, caseSensitive: true });
  return [...first.map(withCase), { handle: 'filesystem' }, ...missing.map(withCase)];
}

function refuse(src: string, { status, file }: FixedResponse, { headers }: SiteRules): Route {
  return { src, status, dest: `/${file}`, headers: headers.error };
}

/** Returns the routes of requests with a query, in the order of the rule's responses. */
function queriesOf({ match, variants, refusals }: RuleCases, site: SiteRules): Route[] {
  const src = `/${match}`;
  return [
    ...variants.map(({ query, file }): Route => {
      return { src, ...conditionsOf(query), dest: `/${fillFile(file, '$1', '$value')}`, check: true };
    }),
    ...refusals.flatMap((response) =>
      response.anyOf.map((key): Route => {
        return { ...refuse(src, response, site), has: [{ type: 'query', key, value: '.+' }] };
      }),
    ),
  ];
}

/** Returns the conditions of a query. The group of a pattern gets the name `value`. */
function conditionsOf(query: NonNullable<RuleResponse['query']>): Pick<Route, 'has' | 'missing'> {
  const [required, absent] = [
    Object.entries(query).filter(([, pattern]) => pattern !== ''),
    Object.keys(query).filter((name) => query[name] === ''),
  ];
  const has = required.map(([key, pattern]) => ({
    type: 'query' as const,
    key,
    value: pattern.replace(/\((?!\?)/, '(?<value>'),
  }));
  return { has, ...(absent.length > 0 && { missing: absent.map((key) => ({ type: 'query' as const, key })) }) };
}

/** Returns the route of requests without a query, unless Vercel itself finds the file. */
function plainOf({ match, path, plain }: RuleCases): Route[] {
  const file = plain?.file;
  if (file === undefined || file === '{path}' || file === path || file.endsWith('.html')) return [];
  return [{ src: `/${match}`, dest: `/${fillFile(file, '$1')}`, check: true }];
}
