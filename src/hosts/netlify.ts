// Renders netlify.toml with rewrites of requests to files, and the headers of files. Needs no edge function.
import type { RuleResponse, SiteRules } from '#serving/rules.ts';
import { commandLine } from '#text/command-line.ts';
import {
  BUILD_FOR_ANOTHER,
  casesOf,
  FILE_FIRST,
  FOREVER,
  fillFile,
  type Host,
  type HostSite,
  headersFile,
  isFileFirst,
  notFoundPage,
  type RuleCases,
} from './host.ts';

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  instructions: 'the command in `dist-hosts/netlify/netlify.toml`',
  deviations: {
    types: 'Netlify’s types for the files of a dump or a seed',
    errors: '404, also in place of 400; of a collection or a page of a list, with the general body',
    tokenErrors: '404',
    variants: `${FILE_FIRST}. The last of repeated values counts, and an empty \`?locale=\` is a 404`,
    undeclared: '404',
    slices: 'only full pages of 20 (not for collections) or 60; otherwise 404',
    search: '404',
    batch: '404',
    unversioned: 'yes; errors with the general body',
    methods: 'Netlify’s responses',
    preflight: 'Netlify’s response',
    headers: 'contracts are cached for a minute; an error may be cached like a file of its folder',
    versions: FOREVER,
    hidden: 'served, except for dotfiles',
    malformed: 'Netlify’s responses',
  },
  limits: [{ of: 'files in a folder', max: 54_000, advice: BUILD_FOR_ANOTHER }],
  files: (site) => [
    headersFile(site.rules),
    // This page is the response if a rewrite leads to a missing file.
    notFoundPage(site.rules),
    { where: 'outside', path: 'netlify.toml', text: renderConfig(site) },
  ],
};

/** A rule of Netlify: the first one applies whose path and query match. */
interface Redirect {
  readonly from: string;
  /** Values of the query, or placeholders. The query may have further parameters. */
  readonly query?: Readonly<Record<string, string>>;
  readonly to: string;
  readonly status: number;
  /** True if the rule also applies to the path of a file. */
  readonly force?: true;
}

function renderConfig({ rules, relativeFolder }: HostSite): string {
  return `# Deploys this build to Netlify. Run in this folder:
#   npx netlify deploy --prod --no-build --dir "${relativeFolder}"
# Each \`${commandLine('build', '--hosts netlify')}\` writes this file again.

# The first rule that matches a request applies. Only rules with \`force\` apply to the paths of files.
redirects = [
${redirectsOf(rules)
  .map((redirect) => `  ${inlineTable(redirect)},\n`)
  .join('')}]

[build.processing.html]
# The names of contracts may end in .html.
pretty_urls = false
`;
}

function redirectsOf(site: SiteRules): Redirect[] {
  const {
    unversioned: { from, to },
    notFound: { file, status },
  } = site;
  const rules = casesOf(site);
  const rewrites = rules.flatMap((rule) => [...queriesOf(rule), ...plainOf(rule)]);
  const unversioned = rewrites
    .filter((rewrite) => `${rewrite.from}/`.startsWith(`/${to}/`))
    .map((rewrite) => ({ ...rewrite, from: `/${from}${rewrite.from.slice(to.length + 1)}` }));
  return [
    ...rewrites,
    ...unversioned,
    ...errorsOf(rules),
    { from: `/${to}/*`, to: `/${file}`, status },
    { from: `/${from}/*`, to: `/${to}/:splat`, status: 200 },
    { from: '/*', to: `/${file}`, status },
  ];
}

/**
 * Returns the redirects of requests with a query. Netlify cannot require that a parameter is missing. So an error for
 * each parameter precedes the redirects that ignore the parameter.
 */
function queriesOf(rule: RuleCases): Redirect[] {
  const { variants, refusals } = rule;
  const from = pathOf(rule);
  const [fixed, open] = [variants.filter(hasLiteral), variants.filter((variant) => !hasLiteral(variant))];
  const isOpen = (name: string) => open.some(({ query }) => query[name]);
  const isUsed = (name: string) => variants.some(({ query }) => query[name]);
  const refuse = (isRefused: (name: string) => boolean) =>
    refusals.flatMap(({ anyOf, file }) =>
      anyOf.filter(isRefused).map((name) => ({ from, query: { [name]: ':value' }, to: `/${file}`, ...FORCED_404 })),
    );
  return [
    ...refuse((name) => !isUsed(name)),
    ...fixed.toSorted((left, right) => countOf(right) - countOf(left)).map((variant) => variantOf(rule, variant)),
    ...refuse((name) => isUsed(name) && !isOpen(name)),
    ...open.map((variant) => variantOf(rule, variant)),
  ];
}

const FORCED_404 = { status: 404, force: true } as const;

function hasLiteral({ query }: RuleCases['variants'][number]): boolean {
  return Object.values(query).some((pattern) => literalOf(pattern) !== undefined);
}

/** Returns the number of parameters that a query must have. */
function countOf({ query }: RuleCases['variants'][number]): number {
  return Object.keys(valuesOf(query)).length;
}

function variantOf(rule: RuleCases, { query, file }: RuleCases['variants'][number]): Redirect {
  const from = pathOf(rule);
  const group = Object.values(query).find((pattern) => pattern.includes('('));
  const to = `/${fillFile(file, from.slice(1), literalOf(group ?? '') ?? ':value')}`;
  return { from, query: valuesOf(query), to, status: 200, ...(!isFileFirst(rule) && { force: true as const }) };
}

/** Returns the parameters that a query must have, each with a value or a placeholder. */
function valuesOf(query: NonNullable<RuleResponse['query']>): Record<string, string> {
  const required = Object.entries(query).filter(([, pattern]) => pattern !== '');
  return Object.fromEntries(required.map(([name, pattern]) => [name, literalOf(pattern) ?? ':value']));
}

/** Returns the only value that a pattern matches; undefined if it matches several values, or only the empty one. */
function literalOf(pattern: string): string | undefined {
  return /^\(?(\w+)\)?$/.exec(pattern)?.[1];
}

/** Returns the redirect of requests without a query, unless Netlify itself finds the file. */
function plainOf(rule: RuleCases): Redirect[] {
  const { plain } = rule;
  const from = pathOf(rule);
  if (plain === undefined || plain.file === '{path}' || plain.file.endsWith('.html')) return [];
  const to = `/${fillFile(plain.file, from.slice(1))}`;
  return to === from ? [] : [{ from, to, status: 200 }];
}

/** Returns the 404 of each folder. Folders within other folders come first. */
function errorsOf(rules: readonly RuleCases[]): Redirect[] {
  const folders = new Map(
    rules
      .filter(({ path, isFolder }) => isFolder && path !== '')
      .toReversed()
      .map(({ path, responses }) => [path, responses.at(-1)?.file]),
  );
  return [...folders]
    .toSorted(([left], [right]) => right.length - left.length)
    .map(([path, file]) => ({ from: `/${path}/*`, to: `/${file}`, status: 404 }));
}

const PLACEHOLDERS = ['/:first', '/:second'];

/** Returns the path of a rule with a placeholder for each segment after the folder. */
function pathOf({ path, isFolder, match }: RuleCases): string {
  if (!isFolder) return `/${path}`;
  // The slashes in the pattern of any segment separate nothing.
  const rest = match.slice(`(${path}`.length).replaceAll('[^/]', '');
  const segments = rest.replace(/\)\/\?$/, '').split('/').length - 1;
  return `/${path}${PLACEHOLDERS.slice(0, segments).join('')}`;
}

function inlineTable(value: object): string {
  const fields = Object.entries(value).map(
    ([key, field]) => `${key} = ${typeof field === 'object' ? inlineTable(field) : JSON.stringify(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}
