// The contract of a host adapter: what a static host can do, what it allows, and the files that make it serve a build.

import type { RuleAnswer, SiteRule, SiteRules } from '#serving/rules.ts';
import { formatCount } from '#text/format-count.ts';

/** Lists what a host should do, in the order in which it is shown: a label, and what that means. */
export const ABILITIES = {
  types: { label: 'types', means: 'JSON whatever the name of a contract' },
  errors: { label: '404 and 400', means: "with the route's own body" },
  ownErrors: { label: '422', means: "with the token's reason" },
  variants: { label: '`?locale=`, `?tip=`', means: 'the answer that they choose' },
  undeclared: { label: 'undeclared locale', means: '422' },
  slices: { label: '`?limit=&offset=`', means: 'exactly that part of a list' },
  search: { label: 'search of a list', means: '`?name=`, `?symbol=`, `?address=`, `?order_by=`, `?order=`' },
  batch: { label: '`/metadata/v1/search`', means: 'up to 50 tokens at once' },
  unversioned: { label: 'paths without a version', means: '`/metadata/ft/…` as `/metadata/v1/ft/…`' },
  methods: { label: 'other methods', means: '405' },
  preflight: { label: 'preflight', means: 'of CORS' },
  headers: { label: 'headers', means: 'CORS, caching, `nosniff`, a policy under which an image runs nothing' },
  versions: { label: 'script and style of the explorer', means: 'cached forever, by their version' },
  tags: { label: 'ETag', means: 'and 304, of lists of tags too' },
  compression: { label: 'compression', means: 'of what is worth it' },
  hidden: { label: 'hidden files', means: '404 for `errors/`, dotfiles and what hosts read' },
  malformed: {
    label: 'odd requests',
    means: 'malformed paths, ranges and requests of 10 KB are answered like any other',
  },
} as const;

export type Ability = keyof typeof ABILITIES;

type Deviations = Readonly<Partial<Record<Ability, string>>>;

export interface HostLimit {
  readonly of: 'files' | 'bytes' | 'bytes in a file' | 'files in a folder' | 'rules' | 'bytes of key values';
  readonly most: number;
  /** Where it is more than this, it is said, and the build goes on. */
  readonly warnsAbove?: { readonly most: number; readonly because: string };
  readonly wayOut: string;
}

export interface HostSite {
  readonly rules: SiteRules;
  /** What a host must know to be there, sorted: variants, pages of lists, and `errors/<status>/<path>`. */
  readonly conditional: readonly string[];
  /** Absolute path of the output folder. */
  readonly folder: string;
  /** From the folder of the host's own files to the output folder. */
  readonly relativeFolder: string;
  /** Text of a program in hosts/edge that knows these rules: it runs where the host runs it. */
  readonly program: (name: ProgramName, rules: object) => string;
}

export type ProgramName = 'cloudflare-worker' | 'cloudfront-origin-response' | 'cloudfront-viewer-request';

export interface HostFile {
  /** In the output folder, or in the folder of the host's own files beside it. */
  readonly where: 'site' | 'beside';
  readonly path: string;
  readonly text: string;
}

export interface Host {
  readonly name: string;
  readonly title: string;
  /** Says in a few words how to use the files. */
  readonly use: string;
  /** Says what happens instead of what it should do. */
  readonly otherwise: Deviations;
  readonly limits: readonly HostLimit[];
  /** Hosts whose files it would read as its own, by name, and what they would do: no site is built for both. */
  readonly notWith?: Readonly<Record<string, string>>;
  /** Matches paths of an output folder that its configuration cannot quote. */
  readonly unquotable?: RegExp;
  /** How many rules its files hold, for a host that limits them, or how many bytes of key values. */
  readonly countRules?: (site: HostSite) => number;
  readonly files: (site: HostSite) => HostFile[];
}

export function ownErrors({ conditional }: HostSite) {
  return conditional.flatMap((file) => {
    const [, status, path] = /^errors\/(\d+)\/(.+)$/.exec(file) ?? [];
    return path === undefined ? [] : [{ path, status: Number(status), file }];
  });
}

/** Folders, with a slash at the end, and files of {@link HostSite.conditional}; no path's own answer, of a million. */
export function conditionalPaths(site: SiteRules): string[] {
  const all = casesOf(site).flatMap(({ path, answers, own, isNestedList }) =>
    // Lists below a parameter have too many pages to be named.
    (isNestedList ? [] : answers)
      .filter((answer) => answer !== own && answer.needs !== '{path}')
      .flatMap(({ needs }) => needs?.replace(/\{value\}.*$/, '').replace('{path}', `${path}/`) ?? []),
  );
  const paths = [...new Set(all)].sort();
  const folders = paths.filter((path) => path.endsWith('/'));
  return paths.filter((path) => !folders.some((folder) => path !== folder && path.startsWith(folder)));
}

type Chosen = RuleAnswer & { readonly query: NonNullable<RuleAnswer['query']> };
type Refusal = RuleAnswer & { readonly asks: NonNullable<RuleAnswer['asks']> };

export interface RuleCases extends SiteRule {
  /** The path's own answer: that of status 200 without a query. */
  readonly own: RuleAnswer | undefined;
  readonly chosen: readonly Chosen[];
  /** The answers to a query that asks for something and chooses none. */
  readonly refusals: readonly Refusal[];
  /** The answer where no other applies. */
  readonly last: RuleAnswer;
  /** True for a list below a parameter: its own answer is a file in the folder that has the path's name. */
  readonly isNestedList: boolean;
}

export function casesOf({ rules }: SiteRules): RuleCases[] {
  return rules.map((rule) => ({
    ...rule,
    own: rule.answers.find(({ status, query }) => status === 200 && query === undefined),
    chosen: rule.answers.filter((answer): answer is Chosen => answer.query !== undefined),
    refusals: rule.answers.filter((answer): answer is Refusal => answer.asks !== undefined),
    last: rule.answers.at(-1) as RuleAnswer,
    isNestedList: rule.isFolder && rule.list !== undefined,
  }));
}

export function parametersOf(site: SiteRules): string[] {
  return [...new Set(casesOf(site).flatMap(({ chosen }) => chosen.flatMap(({ query }) => Object.keys(query))))];
}

/** A file of an answer, with a host's notation for the path that is asked for and for the group of its query. */
export function fillFile(file: string, path: string, value = ''): string {
  return file.replace('{value}', () => value).replace('{path}', () => path);
}

export function nameGroup(pattern: string, name: string): string {
  return pattern.replace(/\((?!\?)/, () => `(?<${name}>`);
}

/** A path of the public API without a version; its group is what is behind the folder. */
export function unversionedPattern({ unversioned: { from, to } }: SiteRules): string {
  return `${from}(?!${to.slice(from.length)}(?:/|$))(?:/(.*))?`;
}

export const BUILD_FOR_ANOTHER =
  'Build with --only tokens, or --only ft, index fewer tokens of each collection (--max-nft-tokens), or build for a host ' +
  'without this limit: nginx, caddy, apache, cloudflare-r2 or s3-cloudfront.';

/** Files that hosts read within a site: none is to be served, whichever host the site was built for. */
export const HOST_FILE_NAMES: readonly string[] = ['serve.json', '404.html', '_headers', '_redirects', 'vercel.json'];

export const NOT_FOUND_FILE = '404.html';

/** The only 404 page of some hosts: JSON, since it is an API. */
export function notFoundPage({ errors, notFound }: SiteRules): HostFile {
  return { where: 'site', path: NOT_FOUND_FILE, text: errors[notFound.file] ?? '' };
}

/** A host that compares a query as it is sent decodes nothing. */
export const UNDECODED = 'yes; a percent-encoded name or value is not decoded';

/** A host without a program has whole pages of lists, and no answer for several tokens. */
export const WHOLE_PAGES: Required<Pick<Deviations, 'slices' | 'search' | 'batch'>> = {
  slices: 'whole pages of 20 (not of collections) or 60; else 400',
  search: '400',
  batch: '404',
};

/** A host without patterns for a query answers that of a list below a parameter with the first page. */
export const FIRST_PAGE_OF_COLLECTIONS = `${WHOLE_PAGES.slices}; of the tokens of a collection, the first page: call \`pages/…\``;

/** Returns what a host does otherwise than it should: the label of the ability, and what happens instead. */
export function shortcomings({ otherwise }: Host): [string, string][] {
  return (Object.keys(ABILITIES) as Ability[]).flatMap((ability) => {
    const instead = otherwise[ability];
    return instead === undefined ? [] : [[ABILITIES[ability].label, instead]];
  });
}

export function describeLimits({ limits }: Host): string[] {
  return limits.map(({ most, of }) => `${formatCount(most)} ${of}`);
}
