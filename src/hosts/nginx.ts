// Renders a server block for nginx 1.18 or newer, to be included within its `http`.
import { HEADER_RULES, type Headers, isCompressible } from '#serving/headers.ts';
import type { RuleResponse, SiteRules } from '#serving/rules.ts';
import { casesOf, fillFile, type Host, type RuleCases, UNDECODED, unversionedPattern, WHOLE_PAGES } from './host.ts';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  use: 'include `dist-hosts/nginx/stxpress.conf` in `http { }`',
  otherwise: {
    variants: `${UNDECODED}, and names ignore case`,
    ...WHOLE_PAGES,
    malformed: '`%2F` is a slash; dots above the root: 400',
  },
  limits: [],
  unquotable: /\p{Cc}/u,
  files: ({ rules, folder }) => [{ where: 'beside', path: 'stxpress.conf', text: renderConfig(rules, folder) }],
};

function renderConfig(site: SiteRules, folder: string): string {
  const { headers, badRequest, notFound, methodNotAllowed } = site;
  const rules = casesOf(site);
  const error = { ...headers.common, ...headers.error };
  const types = rules
    .map((rule) => bareType(rule.headers ?? headers.answer))
    .filter((type) => type !== 'text/html' && isCompressible(type));
  const locations = rules.map((rule, index) => renderRule(rule, `stxpress_${index}`, site));
  return `# The build in ${folder}, served by nginx with every rule of the API. Include this file within http { },
# for example from nginx.conf, conf.d or sites-enabled, then: nginx -t && nginx -s reload
# Each \`stxpress build --host nginx\` writes it anew: for another port, a name or TLS, include a copy, and compare it
# after an upgrade. Reload nginx when it changed; answers need no reload.

# 1 for what is no GET or HEAD; an error page is served as a GET, so it is not kept.
map $request_method $stxpress_other { volatile; GET ""; HEAD ""; default 1; }
${folder.includes('$') ? 'geo $stxpress_dollar { default "$"; }\n' : ''}\
${rules.map((rule, index) => mapFiles(rule, `stxpress_${index}`) + mapCaching(rule, `stxpress_${index}`)).join('')}
server {
    listen 8080;
    root ${quote(folder)};

    # A contract may be called html, js or gz: no name is a type.
    types { }
    default_type ${headers.answer['Content-Type']};
    merge_slashes off;
    large_client_header_buffers 4 32k;
    client_max_body_size 0;
    max_ranges 0;
    gzip on;
    gzip_vary on;
    gzip_proxied any;
    gzip_min_length 512;
    gzip_types ${[...new Set(types)].join(' ')};
    open_file_cache max=20000 inactive=60s;
    open_file_cache_valid 5s;

${renderHeaders({ ...headers.common, ...headers.answer }, '', 1)}
    error_page 400 494 /${badRequest.file};
    error_page 404 /${notFound.file};
    error_page 405 /${methodNotAllowed.file};
    if ($stxpress_other) { rewrite ^ /stxpress-other last; }
    rewrite "^/${unversionedPattern(site)}$" /${site.unversioned.to}/$1;

    location = /stxpress-other {
        internal;
${renderHeaders({ ...headers.common, ...headers.preflight }, 'always', 2)}
        if ($request_method = OPTIONS) { return 204; }
        return 405;
    }
    location ^~ /errors/ {
        internal;
${renderHeaders(error, 'always', 2)}
    }
    location = /${methodNotAllowed.file} {
        internal;
${renderHeaders({ ...error, Allow: headers.preflight.Allow }, 'always', 2)}
    }

    # The first of these that matches answers. No path has an empty part.
    location ~ // { return 404; }
${locations.join('\n')}
}
`;
}

/**
 * `add_header` replaces those of the server, so each place has all of them. Without `always` errors have none: those of
 * nginx itself, such as 412, may be read by all, and are not kept.
 */
function renderHeaders(values: Headers, always: 'always' | '', depth: number): string {
  return Object.entries(values)
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, value]) => {
      const isAlways = always !== '' || name in HEADER_RULES.common;
      return `${'    '.repeat(depth)}add_header ${name} "${value}"${isAlways ? ' always' : ''};`;
    })
    .join('\n');
}

/** A text in double quotes, in which `$` begins a variable and has no escape: one that holds it stands for it. */
function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${escaped.replaceAll('$', () => `$\{stxpress_dollar}`)}"`;
}

/** File of an answer, as a URI; the group of a rule is a variable, and so is that of a value. */
function uri(file: string, value?: string): string {
  return `/${fillFile(file, '$stxpress_path', value)}`;
}

/** Gives a name to the group of a pattern. */
function nameGroup(pattern: string, name: string): string {
  return pattern.replace(/\((?!\?)/, () => `(?<${name}>`);
}

/** The answers that the query chooses, by the names of its parameters, joined with `&`. */
function choicesOf({ chosen }: RuleCases) {
  return [...Map.groupBy(chosen, ({ query }) => Object.keys(query).join('&'))];
}

/** The file that the query chooses: the path's own if it is empty, and none if the value has none of the forms. */
function mapFiles(rule: RuleCases, name: string): string {
  return choicesOf(rule)
    .map(([names, answers], index) => {
      const files = answers.map(({ query, file }) => {
        const pattern = nameGroup(Object.values(query).join('&'), 'stxpress_value');
        return `    "~^(?:${pattern})$" "${uri(file, `$\{stxpress_value}`)}";\n`;
      });
      return `map "${names.replaceAll(/[^&]+/g, '$arg_$&')}" $${name}_${index} {
    "${names.replaceAll(/[^&]+/g, '')}" "${uri(rule.own?.file ?? '')}";
${files.join('')}    default /-;
}
`;
    })
    .join('');
}

/** How long an answer is kept that is asked for by its version. */
function mapCaching({ version, headers }: RuleCases, name: string): string {
  if (version === undefined || headers === undefined) return '';
  return `map $args $${name}_caching {
    "~^${version.query}$" "${version.caching}";
    default "${headers['Cache-Control']}";
}
`;
}

/** An exact path needs no pattern. */
function renderRule(rule: RuleCases, name: string, { headers, notFound }: SiteRules): string {
  const { path, isFolder, match, headers: ofRule, version, own: file, answers } = rule;
  const own = version === undefined ? ofRule : { ...ofRule, 'Cache-Control': `$${name}_caching` };
  const errors = answers.filter(({ status }) => status !== 200);
  const isPlain = errors.length === 1 && errors[0]?.file === notFound.file;
  const lines = [
    ...(own ? [`default_type ${bareType(own)};`] : []),
    ...(own?.['Content-Type']?.includes('charset=utf-8') ? ['charset utf-8; charset_types *;'] : []),
    ...(own ? [renderHeaders({ ...headers.common, ...own }, '', 2).trimStart()] : []),
    ...(file === undefined
      ? renderErrors(errors)
      : [`try_files ${filesToTry(rule, file, name)} ${isPlain ? '=404' : `@${name}`};`]),
  ];
  const heads = isFolder
    ? [`~ "^/${nameGroup(match, 'stxpress_path')}\\z"`]
    : [`= /${path}`, ...(match.endsWith('/?') ? [`= /${path}/`] : [])];
  return [
    ...heads.map((head) => location(head, lines)),
    ...(file === undefined || isPlain ? [] : [location(`@${name}`, renderErrors(errors))]),
  ].join('\n');
}

function location(head: string, lines: readonly string[]): string {
  return `    location ${head} {\n${lines.map((line) => `        ${line}\n`).join('')}    }`;
}

/** Where an asked variant that is not there answers as without it, the file itself is tried last. */
function filesToTry(rule: RuleCases, own: RuleResponse, name: string): string {
  const chosen = choicesOf(rule).map((_, index) => `$${name}_${index}`);
  const isOwnLast = chosen.length === 0 || rule.refusals.length === 0;
  return [...chosen, ...(isOwnLast ? [uri(own.file)] : [])].join(' ');
}

/** In order; one that the query asks for is reached only if it does, since the path's own file would have answered. */
function renderErrors(errors: readonly RuleResponse[]): string[] {
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return [
    `error_page ${statuses.join(' ')} $stxpress_problem;`,
    ...errors.map(({ status, file, needs }) => {
      const refuse = `return ${status};`;
      const isThere = needs === undefined ? refuse : `if (-f $document_root${uri(needs)}) { ${refuse} }`;
      return `set $stxpress_problem ${uri(file)}; ${isThere}`;
    }),
  ];
}

function bareType({ 'Content-Type': type = '' }: Headers): string {
  return type.replace(/;.*$/, '');
}
