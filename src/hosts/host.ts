// Defines host adapters. An adapter describes the abilities and limits of a static host, and renders the files that
// make it serve a build.

import type { Headers } from '#serving/headers.ts';
import type { RuleResponse, SiteRule, SiteRules } from '#serving/rules.ts';
import { formatCount } from '#text/format-count.ts';

/** The abilities that a host should have, in the order of the docs. Each ability has a label and an explanation. */
export const ABILITIES = {
  types: { label: 'types', means: 'JSON for any name of a contract' },
  errors: { label: '404 and 400', means: "with the body of the route's error" },
  tokenErrors: { label: '422', means: "with the token's reason" },
  variants: { label: '`?locale=`, `?tip=`', means: 'the response that they select' },
  undeclared: { label: 'undeclared locale', means: '422' },
  slices: { label: '`?limit=&offset=`', means: 'exactly that part of a list' },
  search: { label: 'search of a list', means: '`?name=`, `?symbol=`, `?address=`, `?order_by=`, `?order=`' },
  batch: { label: '`/metadata/v1/search`', means: 'up to 50 tokens at once' },
  unversioned: { label: 'paths without a version', means: '`/metadata/ft/…` as `/metadata/v1/ft/…`' },
  methods: { label: 'other methods', means: '405' },
  preflight: { label: 'preflight', means: 'of CORS' },
  headers: { label: 'headers', means: 'CORS, caching, `nosniff`, a policy that disables scripts in images' },
  versions: { label: 'script and style of the explorer', means: 'cached forever by version' },
  tags: { label: 'ETag', means: 'and 304, also for lists of tags' },
  compression: { label: 'compression', means: 'of text files' },
  hidden: { label: 'hidden files', means: '404 for `errors/`, dotfiles and files of hosts' },
  malformed: {
    label: 'odd requests',
    means: 'malformed paths, ranges and requests of 10 KB get regular responses',
  },
} as const;

export type Ability = keyof typeof ABILITIES;

type Deviations = Readonly<Partial<Record<Ability, string>>>;

export interface HostLimit {
  readonly of: 'files' | 'bytes' | 'bytes in a file' | 'files in a folder';
  readonly max: number;
  /** A limit lower than `max`. Above it, the build only warns. */
  readonly warnsAbove?: { readonly max: number; readonly because: string };
  readonly advice: string;
}

export interface HostSite {
  readonly rules: SiteRules;
  /** The absolute path of the output folder. */
  readonly folder: string;
  /** The relative path from the folder of this host's files to the output folder. */
  readonly relativeFolder: string;
  /** Returns the source of a program in hosts/edge, after the definitions of constants that the program declares. */
  readonly program: (name: ProgramName, constants: Readonly<Record<string, unknown>>) => string;
}

export type ProgramName = 'cloudflare-worker' | 'lambda-origin-request';

export interface HostFile {
  /** The folder of the file. `site`: the output folder. `outside`: the host's folder next to the output folder. */
  readonly where: 'site' | 'outside';
  readonly path: string;
  readonly text: string;
}

export interface Host {
  readonly name: string;
  readonly title: string;
  /** Short instructions, for the docs, how to use the files. */
  readonly instructions: string;
  /** How the host behaves where it lacks one of the {@link ABILITIES}, by ability. */
  readonly deviations: Deviations;
  readonly limits: readonly HostLimit[];
  /** Matches paths of output folders that cannot be written in the configuration of the host. */
  readonly unquotable?: RegExp;
  readonly files: (site: HostSite) => HostFile[];
}

/** A file, or all files of a folder, that a host with a program sends without running the program. */
export interface PlainFiles {
  /** The path of the file. For a folder, its path followed by `/*`. */
  readonly path: string;
  /** Headers that are added to the common headers. The host itself sets the content type of images. */
  readonly headers: Headers;
}

/**
 * Returns the plain files: images, scripts and style sheets. They are cached forever if pages load them with a version.
 */
export function plainFiles({ rules }: SiteRules): PlainFiles[] {
  const plain = rules.flatMap((rule) => {
    const { path, isFolder, headers = {} } = rule;
    const { 'Content-Type': type = '', ...untyped } = headers;
    if (isFolder && type.startsWith('image/')) return { path: `${path}/*`, headers: untyped };
    return /^text\/(?:javascript|css)/.test(type) ? { path, headers: headersWithVersion(rule) } : [];
  });
  return [...new Map(plain.map((files) => [files.path, files])).values()];
}

/** Renders the file `_headers`, in which Cloudflare and Netlify find the headers of files. Each path is in one block. */
export function headersFile(site: SiteRules): HostFile {
  const { headers, rules } = site;
  const inFolders = rules.filter((rule) => !isDocument(rule) && rule.path !== '');
  const folders = Map.groupBy(inFolders, ({ path }) => path.split('/')[0] ?? '');
  const blocks = [
    { path: '*', headers: headers.common },
    ...rules.filter(isDocument).map((rule) => ({ path: rule.path, headers: headersWithVersion(rule) })),
    ...[...folders].map(([path, within]) => ({ path: `${path}/*`, headers: folderHeaders(within, site) })),
    { path: 'errors/*', headers: headers.error },
    { path: NOT_FOUND_FILE, headers: headers.error },
  ];
  const lines = blocks.flatMap(({ path, headers: values }) => [
    `/${path}`,
    ...Object.entries(values).map(([name, value]) => `  ${name}: ${value}`),
  ]);
  return { where: 'site', path: '_headers', text: `${['# Headers of files.', ...lines].join('\n')}\n` };
}

function isDocument({ isFolder, headers }: SiteRule): boolean {
  return !isFolder && headers !== undefined;
}

/** Returns the headers of a file on a host that ignores the version in the query. */
function headersWithVersion({ headers, version }: SiteRule): Headers {
  return version === undefined ? { ...headers } : { ...headers, 'Cache-Control': version.caching };
}

/**
 * Returns the headers that are right for all files of a folder. If the files differ in their caching, it is as short as
 * for other responses. If they differ in their types, the host sets the type.
 */
function folderHeaders(rules: readonly SiteRule[], { headers: { response } }: SiteRules): Headers {
  const distinct = (name: string) => new Set(rules.map(({ headers = response }) => headers[name]));
  const { 'Content-Type': type = '', ...untyped } = rules[0]?.headers ?? response;
  const headers =
    distinct('Cache-Control').size === 1 ? untyped : { ...untyped, 'Cache-Control': response['Cache-Control'] ?? '' };
  return distinct('Content-Type').size === 1 ? { 'Content-Type': type, ...headers } : headers;
}

type Variant = RuleResponse & { readonly query: NonNullable<RuleResponse['query']> };
type Refusal = RuleResponse & { readonly anyOf: NonNullable<RuleResponse['anyOf']> };

export interface RuleCases extends SiteRule {
  /** The response with status 200 to a request without a query. */
  readonly plain: RuleResponse | undefined;
  readonly variants: readonly Variant[];
  /** The error responses to queries for which there is no variant. */
  readonly refusals: readonly Refusal[];
}

export function casesOf({ rules }: SiteRules): RuleCases[] {
  return rules.map((rule) => ({
    ...rule,
    plain: rule.responses.find(({ status, query }) => status === 200 && query === undefined),
    variants: rule.responses.filter((response): response is Variant => response.query !== undefined),
    refusals: rule.responses.filter((response): response is Refusal => response.anyOf !== undefined),
  }));
}

/**
 * True for a rule whose file is sent if it has no variant for the query. A host that cannot try two files in turn sends
 * the variant of such a rule only if the file is missing.
 */
export function isFileFirst({ refusals }: RuleCases): boolean {
  return refusals.length === 0;
}

export function parametersOf(site: SiteRules): string[] {
  return [...new Set(casesOf(site).flatMap(({ variants }) => variants.flatMap(({ query }) => Object.keys(query))))];
}

/**
 * Replaces `{path}` and `{value}` in the path of a file by a host's notation for the requested path and the query's
 * value.
 */
export function fillFile(file: string, path: string, value = ''): string {
  return file.replace('{value}', () => value).replace('{path}', () => path);
}

/** Returns a pattern for paths without a version. Its group is the part of the path after the folder. */
export function unversionedPattern({ unversioned: { from, to } }: SiteRules): string {
  return `${from}(?!${to.slice(from.length)}(?:/|$))(?:/(.*))?`;
}

export const BUILD_FOR_ANOTHER =
  'Build with --only tokens or --only ft, index fewer tokens of each collection (--max-nft-tokens), or build for a ' +
  'host without this limit: nginx, caddy, apache, cloudflare-r2 or s3-cloudfront.';

/** Names of files that hosts need in a site. A host must hide all of them, including the files of other hosts. */
export const HOST_FILE_NAMES: readonly string[] = ['serve.json', '404.html', '_headers', 'vercel.json'];

export const NOT_FOUND_FILE = '404.html';

/** Renders the 404 page for hosts that support only one such page. It contains JSON. */
export function notFoundPage({ errors, notFound }: SiteRules): HostFile {
  return { where: 'site', path: NOT_FOUND_FILE, text: errors[notFound.file] ?? '' };
}

/** The behaviour of hosts that compare queries without decoding them. */
export const UNDECODED = 'yes; a percent-encoded name or value is not decoded';

/** The behaviour of hosts with the rules of {@link isFileFirst}. */
export const FILE_FIRST = 'yes; `?tip=latest` only of a contract that is a 404 without it';

/** The behaviour of hosts that send scripts and style sheets without running their program. */
export const FOREVER = 'cached forever, also without a version';

/** The behaviour of hosts without a program. */
export const WHOLE_PAGES: Required<Pick<Deviations, 'slices' | 'search' | 'batch'>> = {
  slices: 'only full pages of 20 (not for collections) or 60; otherwise 400',
  search: '400',
  batch: '404',
};

/** Returns the shortcomings of a host, each with the label of the ability and the behaviour of the host. */
export function shortcomings({ deviations }: Host): [string, string][] {
  return (Object.keys(ABILITIES) as Ability[]).flatMap((ability) => {
    const instead = deviations[ability];
    return instead === undefined ? [] : [[ABILITIES[ability].label, instead]];
  });
}

export function describeLimits({ limits }: Host): string[] {
  return limits.map(({ max, of }) => `${formatCount(max)} ${of}`);
}
