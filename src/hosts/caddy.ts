// Renders a Caddyfile for Caddy 2.6 or newer.
import type { Headers } from '#model/answer-headers.ts';
import { METHODS } from '#model/answer-headers.ts';
import type { DocumentRule, ErrorRule, RouteRule, SiteRules, VariantRule } from '#model/site-rules.ts';
import { EVERYTHING, type Host, UNDECODED, WHOLE_PAGES, withOneGroup } from './host.ts';

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  use: '`caddy run --config dist-hosts/caddy/Caddyfile`',
  abilities: {
    ...EVERYTHING,
    variants: UNDECODED,
    slices: WHOLE_PAGES,
    malformed: '`%2F` is a slash; half an escape: 400 as text',
  },
  limits: [],
  // Braces are placeholders.
  unquotable: /[\p{Cc}{}\\]/u,
  files: ({ rules, folder }) => [{ place: 'beside', path: 'Caddyfile', text: renderCaddyfile(rules, folder) }],
};

function renderCaddyfile(rules: SiteRules, folder: string): string {
  const { headers, routes, documents, notFound, methodNotAllowed } = rules;
  const lines = [
    `# The build in ${folder}, served by Caddy with every rule of the API:`,
    '#   caddy run --config Caddyfile',
    '# Each `stxpress build --host caddy` writes it anew: run a copy that names your domain in place of :8080, and Caddy gets its',
    '# certificate; compare it after an upgrade.',
    ...block(':8080', [
      `root * "${folder.replaceAll('"', '\\"')}"`,
      ...block('encode', ['zstd', 'gzip', 'minimum_length 512']),
      // In a route the directives run in their order, and not in Caddy's.
      ...block('route', [
        'header -Server',
        ...headerBlock({ ...headers.common, ...headers.answer }),
        // What compresses says it itself.
        '@plain header !Accept-Encoding',
        'header @plain Vary Accept-Encoding',
        // An answer is small, and what is behind its end would be an answer of another status.
        'request_header -Range',
        ...handle(
          'preflight',
          ['method OPTIONS'],
          [...headerBlock({ ...headers.preflight, Allow: METHODS }), 'respond 204'],
        ),
        ...handle(
          'others',
          ['not method GET HEAD'],
          [`header Allow "${METHODS}"`, ...sendError(methodNotAllowed, rules)],
        ),
        // What the client sent, before Caddy tidied it up.
        ...handle('slashes', ['vars_regexp {http.request.orig_uri.path} //'], sendError(notFound, rules)),
        ...routes.flatMap((route) => route.variants).flatMap(mapVariant),
        ...documents.flatMap((document) => renderDocument(document, rules)),
        ...routes.filter((route) => route.segments.length === 0).flatMap((route) => renderIndex(route, rules)),
        ...routes.filter((route) => route.segments.length > 0).flatMap((route) => renderRoute(route, rules)),
        ...handle('variant', ['path /variants/*', 'not path */', 'file {path}'], SEND_FILE),
        ...handle(
          'image',
          ['path /images/*', 'not path */', 'file {path}'],
          [
            ...headerBlock({ ...headers.image, 'Content-Type': 'application/octet-stream' }),
            ...Object.entries(headers.imageTypes).flatMap(([extension, type]) => [
              `@${extension} path *.${extension}`,
              `header @${extension} Content-Type ${type}`,
            ]),
            ...SEND_FILE,
          ],
        ),
        ...sendError(notFound, rules),
      ]),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => `\t${line}`), '}'];
}

/** What is done with the requests that all of the conditions are true of; it ends there. */
function handle(name: string, conditions: readonly string[], lines: readonly string[]): string[] {
  return [...block(`@${name}`, conditions), ...block(`handle @${name}`, block('route', lines))];
}

/** The type is set already, no folder has a page of its own, and what was rewritten is not the name that was asked for. */
const FILE_SERVER = ['index off', 'disable_canonical_uris'];
const SEND_FILE: readonly string[] = block('file_server', FILE_SERVER);

function headerBlock(values: Headers): string[] {
  return block(
    'header',
    Object.entries(values).map(([name, value]) => `${name} "${value}"`),
  );
}

/** What a client says of the answer that it has is not said of an error. */
const CONDITIONS = ['If-None-Match', 'If-Match', 'If-Modified-Since', 'If-Unmodified-Since'];

function sendError({ status, file }: Pick<ErrorRule, 'status' | 'file'>, { headers }: SiteRules): string[] {
  return [
    ...headerBlock(headers.error),
    ...CONDITIONS.map((name) => `request_header -${name}`),
    `rewrite * /${file}`,
    ...block('file_server', [...FILE_SERVER, `status ${status}`]),
  ];
}

function renderDocument({ path, file, type, isPage }: DocumentRule, { headers }: SiteRules): string[] {
  const paths = isPage && path !== '' ? `/${path} /${path}/` : `/${path}`;
  return handle(
    `document_${(path === '' ? 'root' : path).replace(/[^a-zA-Z]+/g, '_')}`,
    [`path ${paths}`],
    [...headerBlock({ ...headers.document, 'Content-Type': type }), `rewrite * /${file}`, ...SEND_FILE],
  );
}

function renderIndex(route: RouteRule, rules: SiteRules): string[] {
  const name = matcherName(route);
  const file = `/${route.fixed}/index.json`;
  const files = `path_regexp "^/${route.fixed}/(?:${route.files})$"`;
  return [
    ...handle(
      name,
      [`path /${route.fixed} /${route.fixed}/`],
      [
        ...renderVariants(route, file, rules),
        ...handle(`${name}_there`, [`file ${file}`], [`rewrite * ${file}`, ...SEND_FILE]),
        ...sendError(rules.notFound, rules),
      ],
    ),
    ...handle(`${name}_files`, [files, 'file {path}'], SEND_FILE),
    ...handle(`${name}_missing`, [files], sendError(rules.notFound, rules)),
  ];
}

function renderRoute(route: RouteRule, rules: SiteRules): string[] {
  const name = matcherName(route);
  return [
    ...handle(
      name,
      [`path_regexp "^/${route.fixed}/${route.segments.join('/')}$"`],
      [
        ...renderVariants(route, '{path}', rules),
        ...handle(`${name}_there`, ['file {path}'], SEND_FILE),
        ...route.ownErrors.flatMap((status) => {
          const file = `errors/${status}{path}`;
          return handle(`${name}_${status}`, [`file /${file}`], sendError({ status, file }, rules));
        }),
        ...sendError(route.notFound, rules),
      ],
    ),
    ...handle(
      `${name}_bad`,
      [`path_regexp "^/${route.fixed}${'/[^/]+'.repeat(route.segments.length)}$"`],
      sendError(route.badRequest, rules),
    ),
    ...handle(`${name}_below`, [`path /${route.fixed}/*`], sendError(route.notFound, rules)),
  ];
}

function renderVariants(route: RouteRule, file: string, rules: SiteRules): string[] {
  return route.variants.flatMap(({ name: parameter, otherwise }) => {
    const name = `${matcherName(route)}_${parameter}`;
    const variant = `/variants/${parameter}/{${parameter}}${file}`;
    const isAsked = `expression \`{${parameter}} != ""\``;
    return [
      ...handle(name, [isAsked, `file ${variant}`], [`rewrite * ${variant}`, ...SEND_FILE]),
      ...(otherwise === 'answer'
        ? []
        : handle(`${name}_undeclared`, [isAsked, `file ${file}`], sendError(otherwise, rules))),
    ];
  });
}

/** As `map` writes the group of a pattern. */
const FIRST_GROUP = `$\{1}`;

/**
 * The value's name in a path as a placeholder: empty if it is not asked for, and one that no file has if it has no form of a name.
 * Of a parameter that is repeated, the first one counts, as it does everywhere else.
 */
function mapVariant({ name, forms }: VariantRule): string[] {
  return [
    ...block(`map {http.request.orig_uri.query} {${name}_asked}`, [
      `"~(?:^|&)${name}=([^&]*)" "${FIRST_GROUP}"`,
      'default ""',
    ]),
    ...block(`map {${name}_asked} {${name}}`, [
      ...forms.map(withOneGroup).map(({ pattern, pathPart }) => `"~^(?:${pattern})$" "${pathPart(FIRST_GROUP)}"`),
      '"~." "(none)"',
      'default ""',
    ]),
  ];
}

function matcherName({ id }: RouteRule): string {
  return id.replaceAll('-', '_');
}
