// Renders _redirects and _headers for Netlify.
import type { Headers } from '#serving/headers.ts';
import type { FixedAnswer, RuleAnswer, SiteRules } from '#serving/rules.ts';
import {
  BUILD_FOR_ANOTHER,
  casesOf,
  FIRST_PAGE_OF_COLLECTIONS,
  fillFile,
  HOST_FILE_NAMES,
  type Host,
  type HostSite,
  NOT_FOUND_FILE,
  notFoundPage,
  ownErrors,
  type RuleCases,
  WHOLE_PAGES,
} from './host.ts';

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  use: '`netlify deploy --prod --dir dist`, with `_redirects` and `_headers`',
  otherwise: {
    types: 'of tables of a dump: by the ending of the file',
    errors:
      'malformed: 404 instead of 400; a collection that is not there: the general body; a trailing slash is ignored; an address alone answers its contract called `html`',
    variants: 'yes; of a parameter that is repeated, the last one counts; a percent-encoded name is ignored',
    undeclared: 'yes, and 422 instead of 404 for a token that is not there',
    ...WHOLE_PAGES,
    slices: FIRST_PAGE_OF_COLLECTIONS,
    unversioned: 'yes; what is not there has the general body',
    versions: 'for a minute',
    methods: '405 as text',
    preflight: '405 as text',
    malformed: '404 instead of 400, or a text',
  },
  limits: [{ of: 'files in a folder', most: 54_000, wayOut: BUILD_FOR_ANOTHER }],
  files: (site) => [
    {
      where: 'site',
      path: '_redirects',
      text: `# How Netlify answers from this folder: publish it as it is, with netlify deploy --prod --dir <this folder>
${redirects(site)
  .flatMap((line) => withoutVersion(line, site.rules))
  .join('\n')}
`,
    },
    // Served for what is not there, and hidden itself.
    notFoundPage(site.rules),
    { where: 'site', path: '_headers', text: renderHeaderRules(site.rules) },
  ],
};

/** The first match wins; `!` comes before files. Without patterns, single paths come first, then the inner folders. */
function redirects(site: HostSite): string[] {
  const { notFound } = site.rules;
  const rules = casesOf(site.rules);
  const hidden = `/${NOT_FOUND_FILE} ${notFound.status}!`;
  const inFolders = rules.filter(({ isFolder }) => isFolder);
  const folders = [...Map.groupBy(inFolders, ({ path }) => path)];
  return [
    `/errors/* ${hidden}`,
    ...HOST_FILE_NAMES.map((name) => `/${name} ${hidden}`),
    // Netlify answers a page without its ending too.
    `/404 ${hidden}`,
    ...ownErrors(site).map(({ path, status, file }) => `/${path} /${file} ${status}`),
    ...inFolders.flatMap((rule) => (rule.isNestedList ? nestedList(rule) : declaredVariants(rule, site))),
    ...rules
      .filter(({ isFolder, headers }) => !isFolder && headers === undefined)
      .flatMap((rule) => [...pages(rule, site), exactPath(rule, notFound)]),
    ...folders
      .sort(([one], [other]) => other.length - one.length)
      .flatMap(([path, ofFolder]) => [
        ...ofFolder.flatMap(undeclaredVariants),
        ...new Set(ofFolder.flatMap((rule) => missingOfRoute(rule, notFound))),
        `${path === '' ? '' : `/${path}`}/* /${NOT_FOUND_FILE} ${notFound.status}`,
      ]),
  ];
}

/** A rule with and without the version. Without it, the rule for a folder's missing paths rewrites to its files. */
function withoutVersion(line: string, { unversioned: { from, to } }: SiteRules): string[] {
  if (!line.startsWith(`/${to}/`) && !line.startsWith(`/${to} `)) return [line];
  const [path = '', ...rest] = line.split(' ');
  const short = `/${from}${path.slice(to.length + 1)}`;
  const isMissing = path.endsWith('/*') && rest.length === 2;
  if (path.includes('/:') && rest.at(-1) !== '200') return [line];
  return [line, isMissing ? `${short} ${path.replace('*', ':splat')} 200` : [short, ...rest].join(' ')];
}

function exactPath({ path, own }: RuleCases, notFound: FixedAnswer): string {
  return own === undefined ? `/${path} /${NOT_FOUND_FILE} ${notFound.status}` : `/${path} /${own.file} 200!`;
}

/** Returns the error for missing paths of a route, which have as many parts as its pattern. */
function missingOfRoute({ path, match, own, last, isNestedList }: RuleCases, notFound: FixedAnswer): string[] {
  if (own === undefined || isNestedList || last.file === notFound.file) return [];
  const parts = match
    .slice(`(${path}/`.length)
    .replaceAll(/\[[^\]]*\]/g, '')
    .split('/');
  return [`/${path}/${parts.map((_, index) => `:part${index}`).join('/')} /${last.file} ${last.status}`];
}

/** Ignores the query: there are no patterns for its values. */
function nestedList(rule: RuleCases): string[] {
  const path = `${rule.path}/:principal`;
  return [`/${path} /${fillFile(rule.own?.file ?? '', path)} 200`];
}

/** A rule for each value: one for all of them would answer a value that is not there with a page of Netlify's. */
function declaredVariants(rule: RuleCases, site: HostSite): string[] {
  // Where a value without a file answers as without it, the path's own file comes first.
  const force = rule.refusals.length > 0 ? '!' : '';
  return rule.chosen.flatMap((answer) => answerFiles(rule, answer, site, force));
}

function answerFiles(rule: RuleCases, { file, query = {} }: RuleAnswer, { conditional }: HostSite, force: '!' | '') {
  const pattern = new RegExp(`^${fillFile(file, `(?<path>${rule.path}/.+)`, '(?<value>[^/]+)')}$`);
  return conditional.flatMap((name) => {
    const { path = rule.path, value } = pattern.exec(name)?.groups ?? {};
    return pattern.test(name) ? [`/${path} ${askFor(query, value)} /${name} 200${force}`] : [];
  });
}

/** An empty value is none. */
function undeclaredVariants(rule: RuleCases): string[] {
  const from = `/${rule.path}/*`;
  return (rule.isNestedList ? [] : rule.refusals).flatMap(({ status, file, asks }) =>
    asks.flatMap((name) => [
      `${from} ${name}= /${rule.path}/:splat 200`,
      `${from} ${name}=:${name} /${file} ${status}!`,
    ]),
  );
}

/**
 * A rule for each page of a list. A rule applies whatever else is asked for: so those of more parameters come first,
 * behind each kind of them what refuses the others, and before all what refuses a parameter that no page has.
 */
function pages(rule: RuleCases, site: HostSite): string[] {
  const { chosen, refusals } = rule;
  const from = `/${rule.path}`;
  const refuse = (names: readonly string[]) =>
    refusals.map(
      ({ status, file }) => `${from} ${names.map((name) => `${name}=:${name}`).join(' ')} /${file} ${status}!`,
    );
  const byNames = Map.groupBy(chosen, ({ query }) => askedNames(query).join(' '));
  const inPages = new Set(chosen.flatMap(({ query }) => askedNames(query)));
  return [
    ...refusals.flatMap(({ asks }) => asks.flatMap((name) => (inPages.has(name) ? [] : refuse([name])))),
    ...[...byNames].flatMap(([names, answers]) => [
      ...answers.flatMap((answer) => answerFiles(rule, answer, site, '!')),
      ...refuse(names.split(' ')),
    ]),
  ];
}

type Query = NonNullable<RuleAnswer['query']>;

function askedNames(query: Query): string[] {
  return Object.keys(query).filter((name) => query[name] !== '');
}

/** The condition for an answer with this value, such as `limit=20 offset=40`. */
function askFor(query: Query, value = ''): string {
  return askedNames(query)
    .map((name) => `${name}=${query[name]?.includes('(') ? value : query[name]}`)
    .join(' ');
}

/** Each path once: Netlify joins the values of blocks that say the same. */
function renderHeaderRules(site: SiteRules): string {
  const [{ headers }, rules] = [site, casesOf(site)];
  const blocks = new Map<string, Headers>([['/*', headers.common]]);
  for (const rule of rules.filter(({ own }) => own !== undefined)) {
    const { path, isFolder, headers: own } = rule;
    const { 'Content-Type': type, ...others } = own ?? {};
    // A block is about a whole folder: Netlify names the types itself where a folder has several.
    const isMixed = rules.some(
      (one) => one.path === path && ![undefined, type].includes(one.headers?.['Content-Type']),
    );
    if (own === undefined) blocks.set(`/${path.split('/')[0]}/*`, headers.answer);
    else blocks.set(isFolder ? `/${path}/*` : `/${path}`, isMixed ? others : own);
  }
  for (const path of ['errors/*', NOT_FOUND_FILE]) blocks.set(`/${path}`, headers.error);
  return [
    '# Headers of the answers at Netlify.',
    ...[...blocks].flatMap(([path, values]) => [
      path,
      ...Object.entries(values).map(([name, value]) => `  ${name}: ${value}`),
    ]),
    '',
  ].join('\n');
}
