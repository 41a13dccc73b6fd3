// The contract of a host adapter: what a static host can do, what it allows, and the files that make it serve a build.

import type { Headers } from '#serving/headers.ts';
import type { RuleResponse, SiteRule, SiteRules } from '#serving/rules.ts';
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
  readonly of: 'files' | 'bytes' | 'bytes in a file' | 'files in a folder';
  readonly most: number;
  /** Where it is more than this, it is said, and the build goes on. */
  readonly warnsAbove?: { readonly most: number; readonly because: string };
  readonly wayOut: string;
}

export interface HostSite {
  readonly rules: SiteRules;
  /** Absolute path of the output folder. */
  readonly folder: string;
  /** From the folder of the host's own files to the output folder. */
  readonly relativeFolder: string;
  /** Returns the text of a program in hosts/edge, with values for the constants that it declares. */
  readonly program: (name: ProgramName, constants: Readonly<Record<string, unknown>>) => string;
}

export type ProgramName = 'cloudflare-worker' | 'netlify-function' | 'vercel-middleware' | 'lambda-origin-request';

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
  /** Matches paths of an output folder that its configuration cannot quote. */
  readonly unquotable?: RegExp;
  readonly files: (site: HostSite) => HostFile[];
}

/** A file, or all files of a folder, which a host with a program sends without starting the program. */
export interface PlainFiles {
  /** Path of the file, or of the folder with `/*` at its end. */
  readonly path: string;
  /** Headers besides those that all have. The type of images is left to the host. */
  readonly headers: Headers;
}

/** Images, scripts and style sheets. A page names some of them by a version: these are cached under any query. */
export function plainFiles({ rules }: SiteRules): PlainFiles[] {
  const plain = rules.flatMap(({ path, isFolder, headers = {}, version }) => {
    const { 'Content-Type': type = '', ...untyped } = headers;
    if (isFolder && type.startsWith('image/')) return { path: `${path}/*`, headers: untyped };
    if (!/^text\/(?:javascript|css)/.test(type)) return [];
    return { path, headers: version === undefined ? headers : { ...headers, 'Cache-Control': version.caching } };
  });
  return [...new Map(plain.map((files) => [files.path, files])).values()];
}

/** The file of Cloudflare's assets and of Netlify, which both read the same way: headers of plain files. */
export function headersFile(site: SiteRules): HostFile {
  const blocks = [
    { path: '*', headers: site.headers.common },
    ...plainFiles(site),
    { path: NOT_FOUND_FILE, headers: site.headers.error },
  ];
  const lines = blocks.flatMap(({ path, headers }) => [
    `/${path}`,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ]);
  const head =
    '# Headers of files that are sent without the program. The program sets the headers of its own responses.';
  return { where: 'site', path: '_headers', text: `${[head, ...lines].join('\n')}\n` };
}

type Chosen = RuleResponse & { readonly query: NonNullable<RuleResponse['query']> };
type Refusal = RuleResponse & { readonly asks: NonNullable<RuleResponse['asks']> };

export interface RuleCases extends SiteRule {
  /** The path's own answer: that of status 200 without a query. */
  readonly own: RuleResponse | undefined;
  readonly chosen: readonly Chosen[];
  /** The answers to a query that asks for something and chooses none. */
  readonly refusals: readonly Refusal[];
}

export function casesOf({ rules }: SiteRules): RuleCases[] {
  return rules.map((rule) => ({
    ...rule,
    own: rule.answers.find(({ status, query }) => status === 200 && query === undefined),
    chosen: rule.answers.filter((answer): answer is Chosen => answer.query !== undefined),
    refusals: rule.answers.filter((answer): answer is Refusal => answer.asks !== undefined),
  }));
}

export function parametersOf(site: SiteRules): string[] {
  return [...new Set(casesOf(site).flatMap(({ chosen }) => chosen.flatMap(({ query }) => Object.keys(query))))];
}

/** A file of an answer, with a host's notation for the path that is asked for and for the group of its query. */
export function fillFile(file: string, path: string, value = ''): string {
  return file.replace('{value}', () => value).replace('{path}', () => path);
}

/** A path of the public API without a version; its group is what is behind the folder. */
export function unversionedPattern({ unversioned: { from, to } }: SiteRules): string {
  return `${from}(?!${to.slice(from.length)}(?:/|$))(?:/(.*))?`;
}

export const BUILD_FOR_ANOTHER =
  'Build with --only tokens, or --only ft, index fewer tokens of each collection (--max-nft-tokens), or build for a host ' +
  'without this limit: nginx, caddy, apache, cloudflare-r2 or s3-cloudfront.';

/** Files that hosts read within a site: none is to be served, whichever host the site was built for. */
export const HOST_FILE_NAMES: readonly string[] = [
  'serve.json',
  '404.html',
  '_headers',
  'vercel.json',
  'middleware.js',
];

export const NOT_FOUND_FILE = '404.html';

/** The only 404 page of some hosts: JSON, since it is an API. */
export function notFoundPage({ errors, notFound }: SiteRules): HostFile {
  return { where: 'site', path: NOT_FOUND_FILE, text: errors[notFound.file] ?? '' };
}

/** A host that compares a query as it is sent decodes nothing. */
export const UNDECODED = 'yes; a percent-encoded name or value is not decoded';

/** A host that sends scripts and style sheets without its program caches them by their path. */
export const FOREVER = 'cached forever under any query';

/** A host without a program has whole pages of lists, and no answer for several tokens. */
export const WHOLE_PAGES: Required<Pick<Deviations, 'slices' | 'search' | 'batch'>> = {
  slices: 'whole pages of 20 (not of collections) or 60; else 400',
  search: '400',
  batch: '404',
};

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
