// Renders a Caddyfile for Caddy 2.6 or newer.
import type { Headers } from '#serving/headers.ts';
import type { FixedResponse, RuleResponse, SiteRule, SiteRules } from '#serving/rules.ts';
import { commandLine } from '#text/command-line.ts';
import { fillFile, type Host, parametersOf, UNDECODED, WHOLE_PAGES } from './host.ts';

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  instructions: '`caddy run --config dist-hosts/caddy/Caddyfile`',
  deviations: {
    variants: UNDECODED,
    ...WHOLE_PAGES,
    malformed: '`%2F` is a slash; an incomplete percent-escape: 400 as plain text',
  },
  limits: [],
  // In a Caddyfile, braces begin placeholders, and the matcher `file` takes its entire path as a pattern.
  unquotable: /[\p{Cc}{}\\*?[]/u,
  files: ({ rules, folder }) => [{ where: 'outside', path: 'Caddyfile', text: renderCaddyfile(rules, folder) }],
};

function renderCaddyfile(site: SiteRules, folder: string): string {
  const { headers, rules, unversioned, notFound, methodNotAllowed } = site;
  const { Allow: allow } = headers.preflight;
  const sendFixed = ({ status, file }: FixedResponse) => sendError(status, `/${file}`, site);
  const lines = [
    `# Rules to serve the API from the build in ${folder} with Caddy:`,
    '#   caddy run --config Caddyfile',
    `# Each \`${commandLine('build', '--hosts caddy')}\` writes this file again. For your domain, run a copy with the`,
    '# domain in place of :8080; Caddy gets its certificate. After an upgrade of stxpress, compare the copy with this',
    '# file.',
    ...block(':8080', [
      `root * "${folder.replaceAll('"', '\\"')}"`,
      ...block('encode', ['zstd', 'gzip', 'minimum_length 512']),
      // Without `route`, Caddy would run directives in its default order instead of this order.
      ...block('route', [
        'header -Server',
        ...headerBlock({ ...headers.common, ...headers.response }),
        // For compressed responses, `encode` sets Vary itself.
        '@plain header !Accept-Encoding',
        'header @plain Vary Accept-Encoding',
        // Responses are small, so ranges and preconditions are not needed. They could cause statuses that the API does
        // not have.
        ...['Range', 'If-Match', 'If-Unmodified-Since'].map((header) => `request_header -${header}`),
        ...handle('preflight', ['method OPTIONS'], [...headerBlock(headers.preflight), 'respond 204']),
        ...handle('otherMethods', ['not method GET HEAD'], [`header Allow "${allow}"`, ...sendFixed(methodNotAllowed)]),
        // The path as the client sent it. The current path has no double slashes, since Caddy removes them.
        ...handle('slashes', ['vars_regexp {http.request.orig_uri.path} //'], sendFixed(notFound)),
        ...block('@unversioned', [
          `path_regexp unversioned ^/${unversioned.from}(?:/(.*))?$`,
          `not path_regexp ^/${unversioned.to}(?:/|$)`,
        ]),
        `rewrite @unversioned /${unversioned.to}/{re.unversioned.1}`,
        ...parametersOf(site).flatMap(mapParameter),
        ...rules.flatMap((rule, index) => renderRule(rule, `r${index}`, site)),
      ]),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => `\t${line}`), '}'];
}

/** Renders a block that handles requests that meet all conditions. A handled request does not reach later blocks. */
function handle(name: string, conditions: readonly string[], lines: readonly string[]): string[] {
  return [...block(`@${name}`, conditions), ...block(`handle @${name}`, block('route', lines))];
}

function headerBlock(values: Headers): string[] {
  const lines = Object.entries(values).map(([name, value]) => `${name} "${value}"`);
  return block('header', lines);
}

/** The first group of a pattern, in the notation of the directive `map`. */
const FIRST_GROUP = `$\{1}`;

/** Renders a placeholder with the value of a query parameter. If the parameter is repeated, its first value counts. */
function mapParameter(name: string): string[] {
  return block(`map {http.request.orig_uri.query} {${name}_requested}`, [
    `"~(?:^|&)${name}=([^&]*)" "${FIRST_GROUP}"`,
    'default ""',
  ]);
}

/**
 * Renders a placeholder that is empty unless the query matches. Its value is the group of the patterns; without a
 * group, a fixed word.
 */
function mapValue(name: string, query: NonNullable<RuleResponse['query']>): string[] {
  const [names, pattern] = [Object.keys(query), Object.values(query).join('&')];
  return block(`map "${names.map((parameter) => `{${parameter}_requested}`).join('&')}" {${name}}`, [
    `"~^(?:${pattern})$" "${pattern.includes('(') ? FIRST_GROUP : 'requested'}"`,
    'default ""',
  ]);
}

function renderRule({ match, headers, version, responses }: SiteRule, name: string, site: SiteRules): string[] {
  const lines = responses.flatMap((response, index) => {
    const [placeholder, { query, anyOf, needs }] = [`${name}_${index}`, response];
    const uri = (file: string) => `/${fillFile(file, `{re.${name}.1}`, `{${placeholder}}`)}`;
    const send =
      response.status === 200 ? sendFile(uri(response.file)) : sendError(response.status, uri(response.file), site);
    const conditions = [
      ...(query ? [`expression \`{${placeholder}} != ""\``] : []),
      ...(anyOf ? [`expression \`${anyOf.map((parameter) => `{${parameter}_requested} != ""`).join(' || ')}\``] : []),
      ...(needs ? [`file ${uri(needs)}`] : []),
    ];
    return [
      ...(query ? mapValue(placeholder, query) : []),
      ...(conditions.length === 0 ? send : handle(placeholder, conditions, send)),
    ];
  });
  const caching = version && [
    `@${name}_version vars_regexp {http.request.orig_uri.query} ^${version.query}$`,
    `header @${name}_version Cache-Control "${version.caching}"`,
  ];
  const matcher = `path_regexp ${name} "^/${match}$"`;
  return handle(name, [matcher], [...(headers ? headerBlock(headers) : []), ...(caching ?? []), ...lines]);
}

/** Options of `file_server`: send no index pages of folders, and do not redirect rewritten paths. */
const FILE_SERVER = ['index off', 'disable_canonical_uris'];

function sendFile(uri: string): string[] {
  return [`rewrite * ${uri}`, ...block('file_server', FILE_SERVER)];
}

/** Conditional request headers. They are removed before an error is sent, since they do not apply to errors. */
const CONDITIONS = ['If-None-Match', 'If-Modified-Since'];

function sendError(status: number, uri: string, { headers }: SiteRules): string[] {
  return [
    ...headerBlock(headers.error),
    ...CONDITIONS.map((header) => `request_header -${header}`),
    `rewrite * ${uri}`,
    ...block('file_server', [...FILE_SERVER, `status ${status}`]),
  ];
}
