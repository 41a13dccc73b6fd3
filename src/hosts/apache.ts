// Renders the file .htaccess for Apache 2.4. It works only in the document root, with AllowOverride All.
import { isCompressible } from '#serving/headers.ts';
import { escapeDots, type FixedResponse, type RuleResponse, type SiteRule, type SiteRules } from '#serving/rules.ts';
import { commandLine } from '#text/command-line.ts';
import { fillFile, type Host, parametersOf, UNDECODED, unversionedPattern, WHOLE_PAGES } from './host.ts';

export const apache: Host = {
  name: 'apache',
  title: 'Apache (`.htaccess`)',
  instructions:
    '`dist/.htaccess`, with `dist` as document root and `AllowOverride All`; on Debian, `a2enmod rewrite headers`',
  deviations: {
    variants: UNDECODED,
    ...WHOLE_PAGES,
    hidden: 'yes; `.htaccess` itself: 403',
    malformed: 'Apache’s error pages; more than 8 KB: 414, unless `LimitRequestLine` is raised',
  },
  limits: [],
  files: ({ rules }) => [{ where: 'site', path: '.htaccess', text: renderHtaccess(rules) }],
};

/**
 * File extensions for which the default configurations of Apache and Debian set an encoding. {@link LANGUAGES} are
 * extensions for which they set a language.
 */
const ENCODINGS = '.gz .br .Z .tgz .bz2 .xz .zst';
const LANGUAGES = [
  '.amh .ara .be .bg .bn .br .bs .ca .cz .cs .cy .da .dk .de .dz .el .en .eo .es .et .eu .fa .fi .fr .ga .glg .gu',
  '.he .hi .hr .hu .hy .id .is .it .ja .ka .kk .km .kn .ko .ku .lo .lt .ltz .lv .mg .mk .ml .mr .msa .nob .ne .nl',
  '.nn .no .pa .po .pt .ro .ru .sa .se .si .sk .sl .sq .sr .sv .ta .te .th .tl .tr .uk .ur .vi .wo .xh .pt-br',
  '.zh-cn .zh-tw',
].join(' ');

function renderHtaccess(site: SiteRules): string {
  const { headers, rules, methodNotAllowed, badRequest, notFound } = site;
  const errors = [badRequest, methodNotAllowed, ...rules.flatMap(({ responses }) => responses)];
  const statuses = [...new Set(errors.map(({ status }) => status).filter((status) => status !== 200))];
  const types = rules.map((rule) => (rule.headers ?? headers.response)['Content-Type']?.replace(/;.*$/, '') ?? '');
  const compressed = new Set(types.filter(isCompressible));
  const always = (name: string, value = '', condition = '') =>
    `Header always set ${name} "${value}"${condition === '' ? '' : ` "expr=${condition}"`}`;
  return `# Rules to serve the API from this folder with Apache 2.4. The folder must be the document root, with
#   AllowOverride All (or FileInfo Indexes Options=Indexes,MultiViews AuthConfig), and mod_rewrite, mod_headers,
#   mod_mime and mod_deflate (on Debian: a2enmod rewrite headers).
# Each \`${commandLine('build', '--hosts apache')}\` writes this file again. Apache reads it on every request.

Options -Indexes -MultiViews
DirectoryIndex disabled
DirectorySlash Off
AcceptPathInfo Off
FileETag MTime Size
# If a file shrinks while it is sent, a memory map would send NULs after its new end.
EnableMMAP Off

# The names of contracts may end in .html, .js, .gz or .fr: extensions must not set a type, an encoding or a language.
ForceType ${headers.response['Content-Type']}
SetHandler default-handler
RemoveEncoding ${ENCODINGS}
RemoveLanguage ${LANGUAGES}
${exceptions('Content-Type', site)
  .map(([type, condition]) => `<If "${condition}">\nForceType "${type}"\n</If>`)
  .join('\n')}

${Object.entries(headers.common)
  .map(([name, value]) => always(name, value))
  .join('\n')}
${always('Content-Security-Policy', headers.response['Content-Security-Policy'])}
${always('Cache-Control', headers.error['Cache-Control'])}
${always('Cache-Control', headers.response['Cache-Control'], '%{REQUEST_STATUS} < 400')}
${['Content-Security-Policy', 'Cache-Control']
  .flatMap((name) =>
    exceptions(name, site).map(([value, condition]) => always(name, value, `${condition} && %{REQUEST_STATUS} < 400`)),
  )
  .join('\n')}
${rules
  .flatMap((rule) => (rule.version === undefined ? [] : [{ ...rule.version, uri: uriIsOf([rule]) }]))
  .map(({ query, caching, uri }) =>
    always('Cache-Control', caching, `${uri} && %{QUERY_STRING} =~ /^${query}$/ && %{REQUEST_STATUS} < 400`),
  )
  .join('\n')}
${Object.entries(headers.preflight)
  .map(([name, value]) => always(name, value, "%{REQUEST_METHOD} == 'OPTIONS'"))
  .join('\n')}
${always('Allow', headers.preflight.Allow, '%{REQUEST_STATUS} == 405')}
# The ETag of a compressed response ends in -gzip, also in the If-None-Match of clients.
RequestHeader edit* If-None-Match "-gzip\\"" "\\""
RequestHeader unset Range
AddOutputFilterByType DEFLATE ${[...compressed].join(' ')}
${statuses.map((status) => `ErrorDocument ${status} /errors/%{reqenv:ERR}`).join('\n')}

RewriteEngine On
# Files of errors/ are sent only as the body of an error.
RewriteCond %{ENV:REDIRECT_STATUS} ^[45]
RewriteRule ^ - [END]
RewriteCond %{REQUEST_METHOD} =OPTIONS
RewriteRule ^ - [R=204,L]
RewriteCond %{REQUEST_METHOD} !^(GET|HEAD)$
${rewrite('^', methodNotAllowed)}
RewriteCond %{THE_REQUEST} "^[A-Z]+ /[^? ]*//" [OR]
RewriteCond %{THE_REQUEST} "^[A-Z]+ //"
${rewrite('^', notFound)}

# Add the version to a path without one. The path already includes PATH_INFO.
RewriteRule "^${unversionedPattern(site)}$" ${site.unversioned.to}/$1 [DPI]

# Read the parameters of the query. If a parameter is repeated, the first value counts.
${parametersOf(site)
  .map(
    (name) =>
      `RewriteCond %{QUERY_STRING} "^(?:(?!${name}=)[^&]*&)*${name}=([^&]*)"\nRewriteRule ^ - [E=ASKED_${name}:%1]`,
  )
  .join('\n')}

# The first rule that applies is used.
${rules.flatMap(({ match, responses }) => responses.flatMap((response) => renderResponse(`^${match}$`, response))).join('\n')}
`;
}

/**
 * Returns the values of a header that differ from its default. Each has a condition that matches the requests that get
 * this value.
 */
function exceptions(name: string, { headers, rules }: SiteRules): [value: string, condition: string][] {
  const byValue = Map.groupBy(rules, (rule) => (rule.headers ?? headers.response)[name] ?? '');
  byValue.delete(headers.response[name] ?? '');
  return [...byValue].map(([value, rulesWithValue]) => [value, uriIsOf(rulesWithValue)]);
}

/** Returns a condition that matches the requests of some rules, by the requested path or by the rewritten path. */
function uriIsOf(rules: readonly SiteRule[]): string {
  const files = rules.flatMap(({ responses }) =>
    responses.filter(({ status }) => status === 200).map(({ file }) => file),
  );
  const exact = files.filter((file) => !file.includes('{')).map(escapeDots);
  return `%{REQUEST_URI} =~ m#^/(?:${[...new Set([...rules.map(({ match }) => match), ...exact])].join('|')})$#`;
}

function renderResponse(match: string, response: RuleResponse): string[] {
  const { file, needs, query, anyOf } = response;
  const fill = (text: string) => fillFile(text, '$1', '%1');
  const requested = (names: readonly string[]) => `"${names.map((name) => `%{ENV:ASKED_${name}}`).join('&')}"`;
  return [
    ...(anyOf ? [`RewriteCond ${requested(anyOf)} "[^&]"`] : []),
    ...(query ? [`RewriteCond ${requested(Object.keys(query))} "^(?:${Object.values(query).join('&')})$"`] : []),
    ...(needs ? [`RewriteCond %{DOCUMENT_ROOT}/${fill(needs)} -f`] : []),
    rewrite(match, { ...response, file: fill(file) }),
  ];
}

/**
 * Renders the rewrite of a request to a file. Nothing is rewritten if the file is at the requested path. An error file
 * is named without its folder.
 */
function rewrite(match: string, { status, file }: FixedResponse): string {
  return status === 200
    ? `RewriteRule ${match} ${file === '$1' ? '-' : file} [END]`
    : `RewriteRule ${match} - [E=ERR:${file.replace(/^errors\//, '')},R=${status},L]`;
}
