// Renders a Caddyfile for Caddy 2.6 or newer.
import type { Headers } from '#serving/headers.ts';
import type { FixedResponse, RuleResponse, SiteRule, SiteRules } from '#serving/rules.ts';
import { fillFile, type Host, parametersOf, UNDECODED, WHOLE_PAGES } from './host.ts';

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  use: '`caddy run --config dist-hosts/caddy/Caddyfile`',
  otherwise: {
    variants: UNDECODED,
    ...WHOLE_PAGES,
    malformed: '`%2F` is a slash; an incomplete percent-escape: 400 as plain text',
  },
  limits: [],
  // Braces are placeholders; its `file` takes the whole path for a pattern.
  unquotable: /[\p{Cc}{}\\*?[]/u,
  files: ({ rules, folder }) => [{ where: 'beside', path: 'Caddyfile', text: renderCaddyfile(rules, folder) }],
};

function renderCaddyfile(site: SiteRules, folder: string): string {
  const { headers, rules, unversioned, notFound, methodNotAllowed } = site;
  const { Allow: allow } = headers.preflight;
  const sendFixed = ({ status, file }: FixedResponse) => sendError(status, `/${file}`, site);
  const lines = [
    `# The build in ${folder}, served by Caddy with every rule of the API:`,
    '#   caddy run --config Caddyfile',
    '# Each `stxpress build --host caddy` writes it anew: run a copy that names your domain in place of :8080, and',
    '# Caddy gets its certificate; compare it after an upgrade.',
    ...block(':8080', [
      `root * "${folder.replaceAll('"', '\\"')}"`,
      ...block('encode', ['zstd', 'gzip', 'minimum_length 512']),
      // In a route the directives run in their order, and not in Caddy's.
      ...block('route', [
        'header -Server',
        ...headerBlock({ ...headers.common, ...headers.answer }),
        // `encode` sets Vary itself where it compresses.
        '@plain header !Accept-Encoding',
        'header @plain Vary Accept-Encoding',
        // An answer is small, and what is behind its end, or no longer so, would be an answer of another status.
        ...['Range', 'If-Match', 'If-Unmodified-Since'].map((header) => `request_header -${header}`),
        ...handle('preflight', ['method OPTIONS'], [...headerBlock(headers.preflight), 'respond 204']),
        ...handle('others', ['not method GET HEAD'], [`header Allow "${allow}"`, ...sendFixed(methodNotAllowed)]),
        // The path as the client sent it, before Caddy tidied it up.
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

/** Handles the requests that meet all conditions, and ends there. */
function handle(name: string, conditions: readonly string[], lines: readonly string[]): string[] {
  return [...block(`@${name}`, conditions), ...block(`handle @${name}`, block('route', lines))];
}

function headerBlock(values: Headers): string[] {
  const lines = Object.entries(values).map(([name, value]) => `${name} "${value}"`);
  return block('header', lines);
}

/** `map` writes the group of a pattern so. */
const FIRST_GROUP = `$\{1}`;

/** Makes a placeholder of the value of a query parameter: of the first one, if it is repeated. */
function mapParameter(name: string): string[] {
  return block(`map {http.request.orig_uri.query} {${name}_asked}`, [
    `"~(?:^|&)${name}=([^&]*)" "${FIRST_GROUP}"`,
    'default ""',
  ]);
}

/** Makes a placeholder of the group of an answer's patterns, or of a word without one: empty for another query. */
function mapValue(name: string, query: NonNullable<RuleResponse['query']>): string[] {
  const [names, pattern] = [Object.keys(query), Object.values(query).join('&')];
  return block(`map "${names.map((one) => `{${one}_asked}`).join('&')}" {${name}}`, [
    `"~^(?:${pattern})$" "${pattern.includes('(') ? FIRST_GROUP : 'asked'}"`,
    'default ""',
  ]);
}

function renderRule({ match, headers, version, answers }: SiteRule, name: string, site: SiteRules): string[] {
  const lines = answers.flatMap((answer, index) => {
    const [own, { query, asks, needs }] = [`${name}_${index}`, answer];
    const uri = (file: string) => `/${fillFile(file, `{re.${name}.1}`, `{${own}}`)}`;
    const send = answer.status === 200 ? sendFile(uri(answer.file)) : sendError(answer.status, uri(answer.file), site);
    const conditions = [
      ...(query ? [`expression \`{${own}} != ""\``] : []),
      ...(asks ? [`expression \`${asks.map((one) => `{${one}_asked} != ""`).join(' || ')}\``] : []),
      ...(needs ? [`file ${uri(needs)}`] : []),
    ];
    return [
      ...(query ? mapValue(own, query) : []),
      ...(conditions.length === 0 ? send : handle(own, conditions, send)),
    ];
  });
  const caching = version && [
    `@${name}_version vars_regexp {http.request.orig_uri.query} ^${version.query}$`,
    `header @${name}_version Cache-Control "${version.caching}"`,
  ];
  const matcher = `path_regexp ${name} "^/${match}$"`;
  return handle(name, [matcher], [...(headers ? headerBlock(headers) : []), ...(caching ?? []), ...lines]);
}

/** The type is set already, no folder has a page of its own, and a rewritten path is not redirected to. */
const FILE_SERVER = ['index off', 'disable_canonical_uris'];

function sendFile(uri: string): string[] {
  return [`rewrite * ${uri}`, ...block('file_server', FILE_SERVER)];
}

/** A client's conditions are about the answer that it has, and not about an error. */
const CONDITIONS = ['If-None-Match', 'If-Modified-Since'];

function sendError(status: number, uri: string, { headers }: SiteRules): string[] {
  return [
    ...headerBlock(headers.error),
    ...CONDITIONS.map((header) => `request_header -${header}`),
    `rewrite * ${uri}`,
    ...block('file_server', [...FILE_SERVER, `status ${status}`]),
  ];
}
