// Renders a server block for nginx 1.18 or newer, to be included within its `http`.

import { type Headers, METHODS } from '#model/answer-headers.ts';
import type { DocumentRule, RouteRule, SiteRules, VariantRule } from '#model/site-rules.ts';
import { ANY_GROUP, EVERYTHING, type Host, WHOLE_PAGES, withOneGroup } from './host.ts';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  use: 'include `dist-hosts/nginx/stxpress.conf` in `http { }`',
  abilities: { ...EVERYTHING, slices: WHOLE_PAGES, malformed: 'dots above the root: 400' },
  limits: [],
  files: ({ rules, folder }) => [{ place: 'beside', path: 'stxpress.conf', text: renderConfig(rules, folder) }],
};

function renderConfig(rules: SiteRules, folder: string): string {
  const { headers } = rules;
  const variants = rules.routes.flatMap((route) => route.variants);
  return `# The build in ${folder}, served by nginx with every rule of the API. Include this file within http { },
# for example from nginx.conf, conf.d or sites-enabled, then: nginx -t && nginx -s reload
# Each \`stxpress build --host nginx\` writes it anew. Reload nginx when it changed; answers need no reload.

# A request line of any form that a client sends; its method stays when an error page is served.
map $request $stxpress_allow { "~^(GET|HEAD) " ""; default "${METHODS}"; }
${Object.entries(headers.preflight)
  .map(
    ([name, value], index) =>
      `map $request_method $stxpress_preflight_${index} { OPTIONS "${value}"; default ""; }  # ${name}`,
  )
  .join('\n')}
map $status $stxpress_cache { "~^[23]" "${headers.answer['Cache-Control']}"; default "${headers.error['Cache-Control']}"; }
${variants.map(mapVariant).join('\n')}

server {
    listen 8080;
    root "${folder}";

    # A contract may be called html, js or gz: no name is a type.
    types { }
    default_type ${headers.answer['Content-Type']};
    merge_slashes off;
    large_client_header_buffers 4 32k;
    gzip on;
    gzip_vary on;
    gzip_proxied any;
    gzip_min_length 512;
    gzip_types ${[...new Set(['application/json', ...rules.documents.map(({ type }) => bareType(type))])].filter((type) => type !== 'text/html').join(' ')};
    open_file_cache max=20000 inactive=60s;
    open_file_cache_valid 5s;

${renderHeaders({ ...headers.common, ...headers.answer }, '$stxpress_cache', 1)}
    add_header Allow $stxpress_allow always;
${Object.keys(headers.preflight)
  .map((name, index) => `    add_header ${name} $stxpress_preflight_${index} always;`)
  .join('\n')}
    error_page 400 494 /${rules.badRequest.file};
    error_page 404 /${rules.notFound.file};
    error_page 405 /${rules.methodNotAllowed.file};
    if ($request_method = OPTIONS) { return 204; }
    if ($request_method !~ "^(GET|HEAD)$") { return 405; }

    location / { return 404; }
    location ^~ /errors/ { internal; }
    location ^~ /variants/ {
        location ~ // { return 404; }
        location ~ . { try_files $uri =404; }
    }
    location ^~ /images/ {
        types { ${Object.entries(headers.imageTypes)
          .map(([extension, type]) => `${type} ${extension};`)
          .join(' ')} }
        gzip off;
${renderHeaders({ ...headers.common, ...headers.image }, '$stxpress_cache', 2).replace('$stxpress_cache', `"${headers.image['Cache-Control']}"`)}
        location ~ // { return 404; }
        location ~ . { try_files $uri =404; }
    }
${rules.documents.map((document) => renderDocument(document, rules)).join('\n')}
${[...Map.groupBy(rules.routes, (route) => route.fixed)].map(([fixed, routes]) => renderRoutes(fixed, routes, rules)).join('\n')}
}
`;
}

/** What an asked value puts in front of the path: nothing if it is empty, and what no file has if it has no form of a name. */
function mapVariant({ name, forms }: VariantRule): string {
  const values = forms.map(withOneGroup).map(({ pattern, pathPart }) => {
    const named = pattern.replace(ANY_GROUP, `(?<stxpress_${name}_part>`);
    return `    "~^(?:${named})$" "/variants/${name}/${pathPart(`$\{stxpress_${name}_part}`)}";\n`;
  });
  return `map $arg_${name} $stxpress_${name} {\n    "" "";\n${values.join('')}    default /variants/-;\n}`;
}

/** `add_header` in a location replaces those of the server, so each place has all of them. */
function renderHeaders(values: Headers, cache: string, depth: number): string {
  return Object.entries(values)
    .filter(([name]) => name !== 'Content-Type')
    .map(
      ([name, value]) =>
        `${'    '.repeat(depth)}add_header ${name} ${name === 'Cache-Control' ? cache : `"${value}"`} always;`,
    )
    .join('\n');
}

function renderDocument({ path, file, type, isPage }: DocumentRule, { headers }: SiteRules): string {
  const charset = type.includes('charset=utf-8') ? ' charset utf-8; charset_types *;' : '';
  const paths = isPage && path !== '' ? [`/${path}`, `/${path}/`] : [`/${path}`];
  return paths
    .map(
      (location) => `    location = ${location} {
        default_type ${bareType(type)};${charset}
${renderHeaders({ ...headers.common, ...headers.document }, '$stxpress_cache', 2)}
        try_files /${file} =404;
    }`,
    )
    .join('\n');
}

function bareType(type: string): string {
  return type.split(';')[0] ?? type;
}

/** The routes below one path: an answer at the path itself, files, and answers with parameters. */
function renderRoutes(fixed: string, routes: readonly RouteRule[], rules: SiteRules): string {
  const below = routes.find((route) => route.segments.length > 0);
  const index = routes.find((route) => route.segments.length === 0);
  const notFound = below?.notFound ?? rules.notFound;
  return [
    ...(index === undefined
      ? []
      : ['', '/'].map(
          (slash) => `    location = /${fixed}${slash} {
        ${tryFiles(index, `/${fixed}/index.json`)}
    }`,
        )),
    `    location ^~ /${fixed}/ {
        error_page 404 /${notFound.file};`,
    ...(index === undefined
      ? []
      : [
          `        location ~ "^/${fixed}/(?:${index.files})$" { error_page 404 /${rules.notFound.file}; try_files $uri =404; }`,
        ]),
    ...(below === undefined
      ? []
      : [
          `        location ~ "^/${fixed}/${below.segments.join('/')}$" { ${tryFiles(below, '$uri')} }`,
          `        location ~ "^/${fixed}${'/[^/]+'.repeat(below.segments.length)}$" { error_page 400 /${below.badRequest.file}; return 400; }`,
        ]),
    `        location ~ // { error_page 404 /${rules.notFound.file}; return 404; }
        location ~ . { return 404; }
    }`,
    ...routes.map((route) => renderMiss(route, rules)),
  ].join('\n');
}

function tryFiles(route: RouteRule, file: string): string {
  const variants = route.variants.map(({ name }) => `$stxpress_${name}`).join('');
  // Where an asked variant that is not there answers as without it, the file itself is tried last.
  const base = route.variants.some(({ otherwise }) => otherwise === 'answer') ? ` ${file}` : '';
  return `try_files ${variants}${file}${base} @stxpress_${route.id.replaceAll('-', '_')};`;
}

/** What is answered where there is no such file: an asked variant that is not there, the path's own error, or the route's. */
function renderMiss(route: RouteRule, rules: SiteRules): string {
  const isIndex = route.segments.length === 0;
  const file = isIndex ? `/${route.fixed}/index.json` : '$uri';
  const errors = route.variants.flatMap(({ otherwise }) => (otherwise === 'answer' ? [] : [otherwise]));
  const statuses = [...new Set([...errors.map(({ status }) => status), ...route.ownErrors])];
  return `    location @stxpress_${route.id.replaceAll('-', '_')} {
        error_page 404 /${(isIndex ? rules.notFound : route.notFound).file};${statuses.map((status) => `\n        error_page ${status} $stxpress_problem;`).join('')}${errors
          .map(
            ({ status, file: body }) => `
        set $stxpress_problem /${body};
        if (-f $document_root${file}) { return ${status}; }`,
          )
          .join('')}${route.ownErrors
          .map(
            (status) => `
        set $stxpress_problem /errors/${status}${file};
        if (-f $document_root$stxpress_problem) { return ${status}; }`,
          )
          .join('')}
        return 404;
    }`;
}
