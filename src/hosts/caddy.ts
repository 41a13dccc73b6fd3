// Renders a Caddyfile for Caddy 2.6 or newer.
import type { Headers } from '#model/answer-headers.ts';
import { METHODS } from '#model/answer-headers.ts';
import type { DocumentRule, ErrorRule, RouteRule, SiteRules, VariantRule } from '#model/site-rules.ts';
import { EVERYTHING, type Host, WHOLE_PAGES, withOneGroup } from './host.ts';

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  use: '`caddy run --config dist-hosts/caddy/Caddyfile`',
  abilities: { ...EVERYTHING, slices: WHOLE_PAGES },
  limits: [],
  files: ({ rules, folder }) => [{ place: 'beside', path: 'Caddyfile', text: renderCaddyfile(rules, folder) }],
};

function renderCaddyfile(rules: SiteRules, folder: string): string {
  const { headers, routes, documents, notFound, methodNotAllowed } = rules;
  const lines = [
    `# The build in ${folder}, served by Caddy with every rule of the API:`,
    '#   caddy run --config Caddyfile',
    '# Each `stxpress build --host caddy` writes it anew. Name your domain in place of :8080, and Caddy gets its certificate.',
    ':8080 {',
    `root * "${folder}"`,
    'encode {',
    'zstd',
    'gzip',
    'minimum_length 512',
    '}',
    'route {',
    'header -Server',
    ...headerBlock({ ...headers.common, ...headers.answer }),
    'header ?Vary Accept-Encoding',
    '@preflight method OPTIONS',
    'handle @preflight {',
    ...headerBlock({ ...headers.preflight, Allow: METHODS }),
    'respond 204',
    '}',
    '@others not method GET HEAD',
    'handle @others {',
    `header Allow "${METHODS}"`,
    ...sendError(methodNotAllowed, rules),
    '}',
    // Of a parameter that is repeated, the first one counts, as it does everywhere else.
    ...routes.flatMap((route) => route.variants).flatMap(mapVariant),
    ...documents.flatMap((document) => renderDocument(document, rules)),
    // What the client sent, before Caddy tidied it up.
    '@slashes vars_regexp {http.request.orig_uri.path} //',
    'handle @slashes {',
    ...sendError(notFound, rules),
    '}',
    ...routes.filter((route) => route.segments.length === 0).flatMap((route) => renderIndex(route, rules)),
    ...routes.filter((route) => route.segments.length > 0).flatMap((route) => renderRoute(route, rules)),
    '@variant {',
    'path /variants/*',
    'file {path}',
    '}',
    'handle @variant {',
    ...SEND_FILE,
    '}',
    '@image {',
    'path /images/*',
    'file {path}',
    '}',
    'handle @image {',
    ...headerBlock({ ...headers.image, 'Content-Type': 'application/octet-stream' }),
    ...Object.entries(headers.imageTypes).flatMap(([extension, type]) => [
      `@${extension} path *.${extension}`,
      `header @${extension} Content-Type ${type}`,
    ]),
    ...SEND_FILE,
    '}',
    ...sendError(notFound, rules),
    '}',
    '}',
  ];
  return indent(lines);
}

/** The type is set already, and no folder has a page of its own. */
const SEND_FILE = ['file_server {', 'index off', '}'];

function headerBlock(values: Headers): string[] {
  return ['header {', ...Object.entries(values).map(([name, value]) => `${name} "${value}"`), '}'];
}

function sendError({ status, file }: Pick<ErrorRule, 'status' | 'file'>, { headers }: SiteRules): string[] {
  return [...headerBlock(headers.error), `rewrite * /${file}`, 'file_server {', 'index off', `status ${status}`, '}'];
}

function renderDocument({ path, file, type, isPage }: DocumentRule, { headers }: SiteRules): string[] {
  const name = `@document_${file.replace(/[^a-z]+/g, '_')}`;
  const paths = isPage && path !== '' ? `/${path} /${path}/` : `/${path}`;
  return [
    `${name} path ${paths}`,
    `handle ${name} {`,
    ...headerBlock({ ...headers.document, 'Content-Type': type }),
    `rewrite * /${file}`,
    ...SEND_FILE,
    '}',
  ];
}

function renderIndex(route: RouteRule, rules: SiteRules): string[] {
  const name = matcherName(route);
  const file = `/${route.fixed}/index.json`;
  return [
    `${name} path /${route.fixed} /${route.fixed}/`,
    `handle ${name} {`,
    ...renderVariants(route, file, rules),
    `${name}_there file ${file}`,
    `handle ${name}_there {`,
    `rewrite * ${file}`,
    ...SEND_FILE,
    '}',
    ...sendError(rules.notFound, rules),
    '}',
    `${name}_files {`,
    `path_regexp "^/${route.fixed}/(?:${route.files})$"`,
    'file {path}',
    '}',
    `handle ${name}_files {`,
    ...SEND_FILE,
    '}',
    `${name}_missing path_regexp "^/${route.fixed}/(?:${route.files})$"`,
    `handle ${name}_missing {`,
    ...sendError(rules.notFound, rules),
    '}',
  ];
}

function renderRoute(route: RouteRule, rules: SiteRules): string[] {
  const name = matcherName(route);
  return [
    `${name} path_regexp "^/${route.fixed}/${route.segments.join('/')}$"`,
    `handle ${name} {`,
    ...renderVariants(route, '{path}', rules),
    `${name}_there file {path}`,
    `handle ${name}_there {`,
    ...SEND_FILE,
    '}',
    ...route.ownErrors.flatMap((status) => [
      `${name}_${status} file /errors/${status}{path}`,
      `handle ${name}_${status} {`,
      ...sendError({ status, file: `errors/${status}{path}` }, rules),
      '}',
    ]),
    ...sendError(route.notFound, rules),
    '}',
    `${name}_bad path_regexp "^/${route.fixed}${'/[^/]+'.repeat(route.segments.length)}$"`,
    `handle ${name}_bad {`,
    ...sendError(route.badRequest, rules),
    '}',
    `${name}_below path /${route.fixed}/*`,
    `handle ${name}_below {`,
    ...sendError(route.notFound, rules),
    '}',
  ];
}

function renderVariants(route: RouteRule, file: string, rules: SiteRules): string[] {
  return route.variants.flatMap(({ name: parameter, otherwise }) => {
    const name = `${matcherName(route)}_${parameter}`;
    const variant = `/variants/${parameter}/{${parameter}}${file}`;
    return [
      `${name} {`,
      `vars_regexp {${parameter}} .`,
      `file ${variant}`,
      '}',
      `handle ${name} {`,
      `rewrite * ${variant}`,
      ...SEND_FILE,
      '}',
      ...(otherwise === 'answer'
        ? []
        : [
            `${name}_undeclared {`,
            `vars_regexp {${parameter}} .`,
            `file ${file}`,
            '}',
            `handle ${name}_undeclared {`,
            ...sendError(otherwise, rules),
            '}',
          ]),
    ];
  });
}

/** As `map` writes it. */
const FIRST_GROUP = `$\{1}`;

/** The value's name in a path as a placeholder: empty if it is not asked for, and one that no file has if it has no form of a name. */
function mapVariant({ name, forms }: VariantRule): string[] {
  return [
    `map {http.request.orig_uri.query} {${name}_asked} {`,
    `"~(?:^|&)${name}=([^&]*)" "${FIRST_GROUP}"`,
    'default ""',
    '}',
    `map {${name}_asked} {${name}} {`,
    ...forms.map(withOneGroup).map(({ pattern, pathPart }) => `"~^(?:${pattern})$" "${pathPart(FIRST_GROUP)}"`),
    '"" ""',
    'default -',
    '}',
  ];
}

function matcherName({ id }: RouteRule): string {
  return `@${id.replaceAll('-', '_')}`;
}

/** One tab a block that is open. */
function indent(lines: readonly string[]): string {
  let depth = 0;
  return lines
    .map((line) => {
      if (line === '}') depth--;
      const text = `${'\t'.repeat(depth)}${line}\n`;
      if (line.endsWith('{')) depth++;
      return text;
    })
    .join('');
}
