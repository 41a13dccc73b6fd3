// Renders a server block for nginx 1.18 or newer. It is included in the block `http`.
import { HEADER_RULES, type Headers, isCompressible } from '#serving/headers.ts';
import type { RuleResponse, SiteRules } from '#serving/rules.ts';
import { commandLine } from '#text/command-line.ts';
import { casesOf, fillFile, type Host, type RuleCases, UNDECODED, unversionedPattern, WHOLE_PAGES } from './host.ts';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  instructions: 'include `dist-hosts/nginx/stxpress.conf` in `http { }`',
  deviations: {
    variants: `${UNDECODED}, and names ignore case`,
    ...WHOLE_PAGES,
    malformed: '`%2F` is a slash; dots above the root: 400',
  },
  limits: [],
  unquotable: /\p{Cc}/u,
  files: ({ rules, folder }) => [{ where: 'outside', path: 'stxpress.conf', text: renderConfig(rules, folder) }],
};

function renderConfig(site: SiteRules, folder: string): string {
  const { headers, badRequest, notFound, methodNotAllowed } = site;
  const rules = casesOf(site);
  const error = { ...headers.common, ...headers.error };
  const types = rules
    .map((rule) => bareType(rule.headers ?? headers.response))
    .filter((type) => type !== 'text/html' && isCompressible(type));
  const locations = rules.map((rule, index) => renderRule(rule, `stxpress_${index}`, site));
  return `# Rules to serve the API from the build in ${folder} with nginx. Include this file within http { },
# for example from nginx.conf, conf.d or sites-enabled, then: nginx -t && nginx -s reload
# Each \`${commandLine('build', '--hosts nginx')}\` writes this file again. For another port, a name or TLS,
# include a copy, and compare it after an upgrade. Reload nginx if this file changes, not if the site changes.

# 1 for methods other than GET and HEAD. Volatile, since nginx sends error pages as GET.
map $request_method $stxpress_other { volatile; GET ""; HEAD ""; default 1; }
${folder.includes('$') ? 'geo $stxpress_dollar { default "$"; }\n' : ''}\
${rules.map((rule, index) => mapFiles(rule, `stxpress_${index}`) + mapCaching(rule, `stxpress_${index}`)).join('')}
server {
    listen 8080;
    root ${quote(folder)};

    # The names of contracts may end in .html, .js or .gz: extensions must not set a type.
    types { }
    default_type ${headers.response['Content-Type']};
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

${renderHeaders({ ...headers.common, ...headers.response }, '', 1)}
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

    # The first matching location is used. Parts of a path must not be empty.
    location ~ // { return 404; }
${locations.join('\n')}
}
`;
}

/**
 * Renders headers. A location with `add_header` loses all headers of the server, so each location repeats them. Headers
 * without `always` are not sent with errors. So nginx's own errors, such as 412, have only the common headers.
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

/** Quotes a text. nginx cannot escape `$`, so a variable replaces it. */
function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return `"${escaped.replaceAll('$', () => `$\{stxpress_dollar}`)}"`;
}

/** Returns the URI of a file. Variables stand for the groups of the path and of the query. */
function uri(file: string, value?: string): string {
  return `/${fillFile(file, '$stxpress_path', value)}`;
}

/** Gives a name to the group of a pattern. */
function nameGroup(pattern: string, name: string): string {
  return pattern.replace(/\((?!\?)/, () => `(?<${name}>`);
}

/**
 * Groups the variants of a rule that have the same query parameters. A group's key is the names of its parameters,
 * joined with `&`.
 */
function groupVariants({ variants }: RuleCases) {
  return [...Map.groupBy(variants, ({ query }) => Object.keys(query).join('&'))];
}

/**
 * Renders a map from the query to a file. An empty query is mapped to the plain file, and an unsupported value to a
 * file that does not exist.
 */
function mapFiles(rule: RuleCases, name: string): string {
  return groupVariants(rule)
    .map(([names, responses], index) => {
      const files = responses.map(({ query, file }) => {
        const pattern = nameGroup(Object.values(query).join('&'), 'stxpress_value');
        return `    "~^(?:${pattern})$" "${uri(file, `$\{stxpress_value}`)}";\n`;
      });
      return `map "${names.replaceAll(/[^&]+/g, '$arg_$&')}" $${name}_${index} {
    "${names.replaceAll(/[^&]+/g, '')}" "${uri(rule.plain?.file ?? '')}";
${files.join('')}    default /-;
}
`;
    })
    .join('');
}

/** Renders a map from the query to the caching of a file that pages load with a version. */
function mapCaching({ version, headers }: RuleCases, name: string): string {
  if (version === undefined || headers === undefined) return '';
  return `map $args $${name}_caching {
    "~^${version.query}$" "${version.caching}";
    default "${headers['Cache-Control']}";
}
`;
}

/** Renders the locations of a rule. The rule of a folder has a pattern, and any other rule has exact paths. */
function renderRule(rule: RuleCases, name: string, { headers, notFound }: SiteRules): string {
  const { path, isFolder, match, headers: ruleHeaders, version, plain: file, responses } = rule;
  const added = version === undefined ? ruleHeaders : { ...ruleHeaders, 'Cache-Control': `$${name}_caching` };
  const errors = responses.filter(({ status }) => status !== 200);
  const isPlain = errors.length === 1 && errors[0]?.file === notFound.file;
  const lines = [
    ...(added ? [`default_type ${bareType(added)};`] : []),
    ...(added?.['Content-Type']?.includes('charset=utf-8') ? ['charset utf-8; charset_types *;'] : []),
    ...(added ? [renderHeaders({ ...headers.common, ...added }, '', 2).trimStart()] : []),
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

/**
 * Returns the files to try in order: the variants, then the plain file. The plain file is left out if a missing variant
 * is an error.
 */
function filesToTry(rule: RuleCases, plain: RuleResponse, name: string): string {
  const variants = groupVariants(rule).map((_, index) => `$${name}_${index}`);
  const isPlainLast = variants.length === 0 || rule.refusals.length === 0;
  return [...variants, ...(isPlainLast ? [uri(plain.file)] : [])].join(' ');
}

/**
 * Renders the errors of a rule in order. An error for a query applies only if there is a query, since nginx otherwise
 * has sent the plain file.
 */
function renderErrors(errors: readonly RuleResponse[]): string[] {
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return [
    `error_page ${statuses.join(' ')} $stxpress_problem;`,
    ...errors.map(({ status, file, needs }) => {
      const refuse = `return ${status};`;
      const condition = needs === undefined ? refuse : `if (-f $document_root${uri(needs)}) { ${refuse} }`;
      return `set $stxpress_problem ${uri(file)}; ${condition}`;
    }),
  ];
}

function bareType({ 'Content-Type': type = '' }: Headers): string {
  return type.replace(/;.*$/, '');
}
