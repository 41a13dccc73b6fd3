// Renders a server block for nginx 1.18 or newer, to be included within its `http`.

import { type Headers, METHODS } from '#model/answer-headers.ts';
import type { DocumentRule, RouteRule, SiteRules, VariantRule } from '#model/site-rules.ts';
import { ANY_GROUP, EVERYTHING, type Host, UNDECODED, WHOLE_PAGES, withOneGroup } from './host.ts';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  use: 'include `dist-hosts/nginx/stxpress.conf` in `http { }`',
  abilities: {
    ...EVERYTHING,
    variants: `${UNDECODED}, and names ignore case`,
    slices: WHOLE_PAGES,
    malformed: '`%2F` is a slash; dots above the root: 400',
  },
  limits: [],
  unquotable: /\p{Cc}/u,
  files: ({ rules, folder }) => [{ place: 'beside', path: 'stxpress.conf', text: renderConfig(rules, folder) }],
};

function renderConfig(rules: SiteRules, folder: string): string {
  const { headers } = rules;
  const answer = { ...headers.common, ...headers.answer };
  const error = { ...headers.common, ...headers.error };
  const types = rules.documents.map(({ type }) => bareType(type)).filter((type) => type !== 'text/html');
  return `# The build in ${folder}, served by nginx with every rule of the API. Include this file within http { },
# for example from nginx.conf, conf.d or sites-enabled, then: nginx -t && nginx -s reload
# Each \`stxpress build --host nginx\` writes it anew: for another port, a name or TLS, include a copy, and compare it after an upgrade.
# Reload nginx when it changed; answers need no reload.

# 1 for what is no GET or HEAD; an error page is served as a GET, so it is not kept.
${folder.includes('$') ? 'geo $stxpress_dollar { default "$"; }\n' : ''}map $request_method $stxpress_other { volatile; GET ""; HEAD ""; default 1; }
${rules.routes
  .flatMap((route) => route.variants)
  .map(mapVariant)
  .join('\n')}
${rules.routes
  .filter((route) => route.segments.length > 0)
  .map(mapForm)
  .join('\n')}

server {
    listen 8080;
    root ${quote(folder)};

    # A contract may be called html, js or gz: no name is a type.
    types { }
    default_type ${answer['Content-Type']};
    merge_slashes off;
    large_client_header_buffers 4 32k;
    client_max_body_size 0;
    max_ranges 0;
    gzip on;
    gzip_vary on;
    gzip_proxied any;
    gzip_min_length 512;
    gzip_types ${[...new Set(['application/json', ...types])].join(' ')};
    open_file_cache max=20000 inactive=60s;
    open_file_cache_valid 5s;

${renderHeaders(answer, '', 1)}
    error_page 400 494 /${rules.badRequest.file};
    error_page 404 /${rules.notFound.file};
    error_page 405 /${rules.methodNotAllowed.file};
    if ($stxpress_other) { rewrite ^ /stxpress-other last; }

    location = /stxpress-other {
        internal;
${renderHeaders({ ...headers.common, ...headers.preflight, Allow: METHODS }, 'always', 2)}
        if ($request_method = OPTIONS) { return 204; }
        return 405;
    }
    location ^~ /errors/ {
        internal;
${renderHeaders(error, 'always', 2)}
    }
    location = /${rules.methodNotAllowed.file} {
        internal;
${renderHeaders({ ...error, Allow: METHODS }, 'always', 2)}
    }

    location / { return 404; }
    location ^~ /variants/ {
        location ~ // { return 404; }
        try_files $uri =404;
    }
    location ^~ /images/ {
        types { ${Object.entries(headers.imageTypes)
          .map(([extension, type]) => `${type} ${extension};`)
          .join(' ')} }
        default_type application/octet-stream;
        gzip off;
${renderHeaders({ ...headers.common, ...headers.image }, '', 2)}
        location ~ // { return 404; }
        try_files $uri =404;
    }
${rules.documents.map((document) => renderDocument(document, rules)).join('\n')}
${rules.routes.map((route) => (route.segments.length === 0 ? renderIndex(route, rules) : renderBelow(route, rules))).join('\n')}
}
`;
}

/** `add_header` in a location replaces those of the server, so each place has all of them. Without `always` errors have none. */
function renderHeaders(values: Headers, always: 'always' | '', depth: number): string {
  return Object.entries(values)
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => `${'    '.repeat(depth)}add_header ${name} "${value}"${always === '' ? '' : ' always'};`)
    .join('\n');
}

/** A text in double quotes, in which `$` begins a variable and has no escape: one that holds it stands for it. */
function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${escaped.replaceAll('$', () => `$\{stxpress_dollar}`)}"`;
}

/** What an asked value puts in front of the path: nothing if it is empty, and what no file has if it has no form of a name. */
function mapVariant({ name, forms }: VariantRule): string {
  const values = forms.map(withOneGroup).map(({ pattern, pathPart }) => {
    const named = pattern.replace(ANY_GROUP, `(?<stxpress_${name}_part>`);
    return `    "~^(?:${named})$" "/variants/${name}/${pathPart(`$\{stxpress_${name}_part}`)}";\n`;
  });
  return `map $arg_${name} $stxpress_${name} {\n    "" "";\n${values.join('')}    default /variants/-;\n}`;
}

/** Whether a path that has no file is one of the route, or malformed. */
function mapForm(route: RouteRule): string {
  return `map $uri $stxpress_form_${variableName(route)} {
    "~^/${route.fixed}/${route.segments.join('/')}\\z" good;
    "~^/${route.fixed}${'/[^/]+'.repeat(route.segments.length)}\\z" bad;
    default none;
}`;
}

function renderDocument({ path, file, type, isPage }: DocumentRule, { headers }: SiteRules): string {
  const charset = type.includes('charset=utf-8') ? ' charset utf-8; charset_types *;' : '';
  const paths = isPage && path !== '' ? [`/${path}`, `/${path}/`] : [`/${path}`];
  return paths
    .map(
      (location) => `    location = ${location} {
        default_type ${bareType(type)};${charset}
${renderHeaders({ ...headers.common, ...headers.document }, '', 2)}
        try_files /${file} =404;
    }`,
    )
    .join('\n');
}

function bareType(type: string): string {
  return type.split(';')[0] ?? type;
}

/** A route without parameters: at its path with or without a slash, and its files. */
function renderIndex(route: RouteRule, { notFound }: SiteRules): string {
  const file = `/${route.fixed}/index.json`;
  const name = variableName(route);
  const pages = route.list === undefined ? undefined : route.list.pageFile.replace(/[^/]*$/, '');
  return `${['', '/'].map((slash) => `    location = /${route.fixed}${slash} { ${tryFiles(route, file)} }`).join('\n')}
    location = ${file} { try_files $uri =404; }${
      pages === undefined
        ? ''
        : `
    location ^~ /${pages} {
        location ~ // { return 404; }
        try_files $uri =404;
    }`
    }
    location @stxpress_${name} {
        error_page 404 /${notFound.file};${renderUndeclared(route, file)}
        return 404;
    }`;
}

/** A route with parameters: nothing but its answers is below its path, so that a file that is there is the answer. */
function renderBelow(route: RouteRule, { notFound }: SiteRules): string {
  const name = variableName(route);
  return `    location ^~ /${route.fixed}/ {
        location ~ // { error_page 404 /${notFound.file}; return 404; }
        ${tryFiles(route, '$uri')}
    }
    location @stxpress_${name} {
        error_page 404 /${route.notFound.file};
        error_page 400 /${route.badRequest.file};
        if ($stxpress_form_${name} = bad) { return 400; }
        if ($stxpress_form_${name} = none) { return 404; }${renderUndeclared(route, '$uri')}${route.ownErrors
          .map(
            (status) => `
        error_page ${status} $stxpress_problem;
        set $stxpress_problem /errors/${status}$uri;
        if (-f $document_root$stxpress_problem) { return ${status}; }`,
          )
          .join('')}
        return 404;
    }`;
}

function tryFiles(route: RouteRule, file: string): string {
  const variants = route.variants.map(({ name }) => `$stxpress_${name}`).join('');
  // Where an asked variant that is not there answers as without it, the file itself is tried last.
  const base = route.variants.some(({ otherwise }) => otherwise === 'answer') ? ` ${file}` : '';
  return `try_files ${variants}${file}${base} @stxpress_${variableName(route)};`;
}

/** An asked variant that is not there, of a path that is. */
function renderUndeclared(route: RouteRule, file: string): string {
  return route.variants
    .flatMap(({ otherwise }) => (otherwise === 'answer' ? [] : [otherwise]))
    .map(
      ({ status, file: body }) => `
        error_page ${status} $stxpress_problem;
        set $stxpress_problem /${body};
        if (-f $document_root${file}) { return ${status}; }`,
    )
    .join('');
}

function variableName({ id }: RouteRule): string {
  return id.replaceAll('-', '_');
}
