// Renders .htaccess for Apache 2.4, in the document root, where AllowOverride lets it set what it sets.
import { isCompressible } from '#serving/headers.ts';
import { escapeDots, type FixedResponse, type RuleResponse, type SiteRule, type SiteRules } from '#serving/rules.ts';
import { fillFile, type Host, parametersOf, UNDECODED, unversionedPattern, WHOLE_PAGES } from './host.ts';

export const apache: Host = {
  name: 'apache',
  title: 'Apache (`.htaccess`)',
  use: '`dist/.htaccess`, with `dist` as document root and `AllowOverride All`; on Debian, `a2enmod rewrite headers`',
  otherwise: {
    variants: UNDECODED,
    ...WHOLE_PAGES,
    hidden: 'yes; `.htaccess` itself: 403',
    malformed: 'Apache’s own pages; more than 8 KB: 414, where `LimitRequestLine` is not raised',
  },
  limits: [],
  files: ({ rules }) => [{ where: 'site', path: '.htaccess', text: renderHtaccess(rules) }],
};

/** Endings that Debian's and Apache's own configuration take for an encoding or a language. */
const ENCODINGS = '.gz .br .Z .tgz .bz2 .xz .zst';
const LANGUAGES = [
  '.amh .ara .be .bg .bn .br .bs .ca .cz .cs .cy .da .dk .de .dz .el .en .eo .es .et .eu .fa .fi .fr .ga .glg .gu',
  '.he .hi .hr .hu .hy .id .is .it .ja .ka .kk .km .kn .ko .ku .lo .lt .ltz .lv .mg .mk .ml .mr .msa .nob .ne .nl',
  '.nn .no .pa .po .pt .ro .ru .sa .se .si .sk .sl .sq .sr .sv .ta .te .th .tl .tr .uk .ur .vi .wo .xh .pt-br',
  '.zh-cn .zh-tw',
].join(' ');

function renderHtaccess(site: SiteRules): string {
  const { headers, rules, methodNotAllowed, badRequest, notFound } = site;
  const errors = [badRequest, methodNotAllowed, ...rules.flatMap(({ answers }) => answers)];
  const statuses = [...new Set(errors.map(({ status }) => status).filter((status) => status !== 200))];
  const types = rules.map((rule) => (rule.headers ?? headers.answer)['Content-Type']?.replace(/;.*$/, '') ?? '');
  const compressed = new Set(types.filter(isCompressible));
  const always = (name: string, value = '', condition = '') =>
    `Header always set ${name} "${value}"${condition === '' ? '' : ` "expr=${condition}"`}`;
  return `# This folder, served by Apache 2.4 with every rule of the API. It must be the document root, with
#   AllowOverride All (or FileInfo Indexes Options=Indexes,MultiViews AuthConfig), and mod_rewrite, mod_headers,
#   mod_mime and mod_deflate (on Debian: a2enmod rewrite headers).
# Each \`stxpress build --host apache\` writes it anew; Apache reads it on every request.

Options -Indexes -MultiViews
DirectoryIndex disabled
DirectorySlash Off
AcceptPathInfo Off
FileETag MTime Size
# Of a file that is overwritten while it is sent, a map has NULs behind its new end.
EnableMMAP Off

# A contract may be called html, js, gz or fr: no name is a type, an encoding or a language. A forced type has no
# character set of the name, either.
ForceType ${headers.answer['Content-Type']}
SetHandler default-handler
RemoveEncoding ${ENCODINGS}
RemoveLanguage ${LANGUAGES}
${others('Content-Type', site)
  .map(([type, condition]) => `<If "${condition}">\nForceType "${type}"\n</If>`)
  .join('\n')}

${Object.entries(headers.common)
  .map(([name, value]) => always(name, value))
  .join('\n')}
${always('Content-Security-Policy', headers.answer['Content-Security-Policy'])}
${always('Cache-Control', headers.error['Cache-Control'])}
${always('Cache-Control', headers.answer['Cache-Control'], '%{REQUEST_STATUS} < 400')}
${['Content-Security-Policy', 'Cache-Control']
  .flatMap((name) =>
    others(name, site).map(([value, condition]) => always(name, value, `${condition} && %{REQUEST_STATUS} < 400`)),
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
# A compressed answer has the tag of the file with -gzip at its end, and the client sends it back so.
RequestHeader edit* If-None-Match "-gzip\\"" "\\""
RequestHeader unset Range
AddOutputFilterByType DEFLATE ${[...compressed].join(' ')}
${statuses.map((status) => `ErrorDocument ${status} /errors/%{reqenv:ERR}`).join('\n')}

RewriteEngine On
# The body of an error is the only file of errors/ that is read, and only within another answer.
RewriteCond %{ENV:REDIRECT_STATUS} ^[45]
RewriteRule ^ - [END]
RewriteCond %{REQUEST_METHOD} =OPTIONS
RewriteRule ^ - [R=204,L]
RewriteCond %{REQUEST_METHOD} !^(GET|HEAD)$
${rewrite('^', methodNotAllowed)}
RewriteCond %{THE_REQUEST} "^[A-Z]+ /[^? ]*//" [OR]
RewriteCond %{THE_REQUEST} "^[A-Z]+ //"
${rewrite('^', notFound)}

# The path with its version. What Apache took for the path's information is part of it already.
RewriteRule "^${unversionedPattern(site)}$" ${site.unversioned.to}/$1 [DPI]

# What the query asks for; of a parameter that is repeated, the first one counts.
${parametersOf(site)
  .map(
    (name) =>
      `RewriteCond %{QUERY_STRING} "^(?:(?!${name}=)[^&]*&)*${name}=([^&]*)"\nRewriteRule ^ - [E=ASKED_${name}:%1]`,
  )
  .join('\n')}

# The first of these that applies answers.
${rules.flatMap(({ match, answers }) => answers.flatMap((answer) => renderResponse(`^${match}$`, answer))).join('\n')}
`;
}

/** Values of a header that are not those of an answer of a route, each with the condition under which it is sent. */
function others(name: string, { headers, rules }: SiteRules): [value: string, condition: string][] {
  const byValue = Map.groupBy(rules, (rule) => (rule.headers ?? headers.answer)[name] ?? '');
  byValue.delete(headers.answer[name] ?? '');
  return [...byValue].map(([value, ofValue]) => [value, uriIsOf(ofValue)]);
}

/** A path is compared as it is asked for, and as the rewritten request names it. */
function uriIsOf(rules: readonly SiteRule[]): string {
  const files = rules.flatMap(({ answers }) => answers.filter(({ status }) => status === 200).map(({ file }) => file));
  const exact = files.filter((file) => !file.includes('{')).map(escapeDots);
  return `%{REQUEST_URI} =~ m#^/(?:${[...new Set([...rules.map(({ match }) => match), ...exact])].join('|')})$#`;
}

function renderResponse(match: string, answer: RuleResponse): string[] {
  const { file, needs, query, asks } = answer;
  const fill = (text: string) => fillFile(text, '$1', '%1');
  const asked = (names: readonly string[]) => `"${names.map((name) => `%{ENV:ASKED_${name}}`).join('&')}"`;
  return [
    ...(asks ? [`RewriteCond ${asked(asks)} "[^&]"`] : []),
    ...(query ? [`RewriteCond ${asked(Object.keys(query))} "^(?:${Object.values(query).join('&')})$"`] : []),
    ...(needs ? [`RewriteCond %{DOCUMENT_ROOT}/${fill(needs)} -f`] : []),
    rewrite(match, { ...answer, file: fill(file) }),
  ];
}

/** A file at the path that was asked for is not rewritten. An error is named without the errors' folder. */
function rewrite(match: string, { status, file }: FixedResponse): string {
  return status === 200
    ? `RewriteRule ${match} ${file === '$1' ? '-' : file} [END]`
    : `RewriteRule ${match} - [E=ERR:${file.replace(/^errors\//, '')},R=${status},L]`;
}
