// Renders .htaccess for Apache 2.4, in the document root, where AllowOverride lets it set what it sets.
import { METHODS } from '#model/answer-headers.ts';
import type { DocumentRule, ErrorRule, RouteRule, SiteRules } from '#model/site-rules.ts';
import { documentPattern, EVERYTHING, escapeDots, type Host, UNDECODED, WHOLE_PAGES, withOneGroup } from './host.ts';

export const apache: Host = {
  name: 'apache',
  title: 'Apache (`.htaccess`)',
  use: '`dist/.htaccess`, with `dist` as document root and `AllowOverride All`',
  abilities: {
    ...EVERYTHING,
    variants: UNDECODED,
    slices: WHOLE_PAGES,
    hidden: 'yes; `.htaccess` itself: 403',
    malformed: 'Apache’s own pages; more than 8 KB: 414, where `LimitRequestLine` is not raised',
  },
  limits: [],
  files: ({ rules }) => [{ place: 'site', path: '.htaccess', text: renderHtaccess(rules) }],
};

/** What Debian's and the project's own configuration take for an encoding, a language or a character set. */
const ENCODINGS = '.gz .br .Z .tgz .bz2 .xz .zst';
const LANGUAGES =
  '.amh .ara .be .bg .bn .br .bs .ca .cz .cs .cy .da .dk .de .dz .el .en .eo .es .et .eu .fa .fi .fr .ga .glg .gu .he .hi .hr .hu .hy .id .is .it .ja .ka .kk .km .kn .ko .ku .lo .lt .ltz .lv .mg .mk .ml .mr .msa .nob .ne .nl .nn .no .pa .po .pt .ro .ru .sa .se .si .sk .sl .sq .sr .sv .ta .te .th .tl .tr .uk .ur .vi .wo .xh .pt-br .zh-cn .zh-tw';
const CHARSETS =
  '.ascii .us-ascii .iso8859-1 .latin1 .iso8859-2 .latin2 .cen .iso8859-3 .latin3 .iso8859-4 .latin4 .iso8859-5 .cyr .iso-ru .iso8859-6 .arb .arabic .iso8859-7 .grk .greek .iso8859-8 .heb .hebrew .iso8859-9 .latin5 .trk .iso8859-10 .latin6 .iso8859-13 .iso8859-14 .latin8 .iso8859-15 .latin9 .iso8859-16 .latin10 .iso2022-jp .jis .iso2022-kr .kis .iso2022-cn .cis .Big5 .big5 .b5 .cn-big5 .cp-1251 .win-1251 .cp866 .koi8 .koi8-e .koi8-r .koi8-ru .koi8-u .koi8-uk .ua .ucs2 .ucs4 .utf7 .utf8 .utf16 .utf16be .utf16le .utf32 .utf32be .utf32le .euc-cn .euc-gb .euc-jp .euc-kr .euc-tw .gb2312 .gb .ucs-2 .iso-10646-ucs-2 .ucs-4 .iso-10646-ucs-4 .shift_jis .sjis .brf';

function renderHtaccess(rules: SiteRules): string {
  const { headers, documents, routes, methodNotAllowed, badRequest, notFound } = rules;
  const statuses = [
    ...new Set([badRequest, notFound, methodNotAllowed, ...routes.flatMap(errorsOf)].map(({ status }) => status)),
  ];
  const isImage = '%{REQUEST_URI} =~ m#^/images/# && %{REQUEST_STATUS} < 400';
  const isDocument = documentCondition(rules);
  return `# This folder, served by Apache 2.4 with every rule of the API. It must be the document root, with
#   AllowOverride All (or FileInfo Indexes Options=Indexes,MultiViews AuthConfig), and mod_rewrite, mod_headers, mod_mime, mod_deflate.
# Each \`stxpress build --host apache\` writes it anew; Apache reads it on every request.

Options -Indexes -MultiViews
DirectoryIndex disabled
DirectorySlash Off
AcceptPathInfo Off
FileETag MTime Size

# A contract may be called html, js, gz or fr: no name is a type, an encoding or a language.
ForceType ${headers.answer['Content-Type']}
SetHandler default-handler
RemoveEncoding ${ENCODINGS}
RemoveLanguage ${LANGUAGES}
RemoveCharset ${CHARSETS}
${Object.entries(headers.imageTypes)
  .map(([extension, type]) => `<If "%{REQUEST_URI} =~ m#^/images/[^/]*\\.${extension}$#">\nForceType ${type}\n</If>`)
  .join('\n')}
${documents
  .filter(({ type }) => type !== headers.answer['Content-Type'])
  .map(
    (document) =>
      `<If "%{REQUEST_URI} =~ m#^/(${documentPaths(document).join('|')})$#">\nForceType "${document.type}"\n</If>`,
  )
  .join('\n')}

${Object.entries(headers.common)
  .map(([name, value]) => `Header always set ${name} "${value}"`)
  .join('\n')}
Header always set Content-Security-Policy "${headers.answer['Content-Security-Policy']}" "expr=!(${isDocument})"
Header always set Content-Security-Policy "${headers.document['Content-Security-Policy']}" "expr=${isDocument}"
Header always set Cache-Control "${headers.error['Cache-Control']}"
Header always set Cache-Control "${headers.answer['Cache-Control']}" "expr=%{REQUEST_STATUS} < 400"
Header always set Cache-Control "${headers.image['Cache-Control']}" "expr=${isImage}"
${Object.entries({ ...headers.preflight, Allow: METHODS })
  .map(([name, value]) => `Header always set ${name} "${value}" "expr=%{REQUEST_METHOD} == 'OPTIONS'"`)
  .join('\n')}
Header always set Allow "${METHODS}" "expr=%{REQUEST_STATUS} == 405"
# A compressed answer has the tag of the file with -gzip at its end, and the client sends it back so.
RequestHeader edit* If-None-Match "-gzip\\"" "\\""
RequestHeader unset Range
AddOutputFilterByType DEFLATE ${[...new Set(['application/json', ...documents.map(({ type }) => type.split(';')[0])])].join(' ')}
${statuses.map((status) => `ErrorDocument ${status} /errors/%{reqenv:ERR}`).join('\n')}

RewriteEngine On
# The body of an error is the only file of errors/ that is read, and only within another answer.
RewriteCond %{ENV:REDIRECT_STATUS} ^[45]
RewriteRule ^ - [END]
RewriteCond %{REQUEST_METHOD} =OPTIONS
RewriteRule ^ - [R=204,L]
RewriteCond %{REQUEST_METHOD} !^(GET|HEAD)$
${refuse('^', methodNotAllowed)}
RewriteCond %{THE_REQUEST} "^[A-Z]+ /[^? ]*//" [OR]
RewriteCond %{THE_REQUEST} "^[A-Z]+ //"
${refuse('^', notFound)}
${documents.map((document) => `RewriteRule ^${documentPattern(document)}$ ${document.file} [END]`).join('\n')}
${routes
  .filter((route) => route.segments.length === 0)
  .map((route) => renderIndex(route, rules))
  .join('\n')}
${routes
  .filter((route) => route.segments.length > 0)
  .map(renderRoute)
  .join('\n')}
# Files of their own.
RewriteCond %{REQUEST_FILENAME} -f
RewriteRule ^(variants|images)/[^.].*[^/]$ - [END]
${refuse('^', notFound)}
`;
}

function errorsOf(route: RouteRule): { readonly status: number }[] {
  return [
    route.notFound,
    route.badRequest,
    ...route.variants.flatMap(({ otherwise }) => (otherwise === 'answer' ? [] : [otherwise])),
    ...route.ownErrors.map((status) => ({ status })),
  ];
}

function documentCondition({ documents }: SiteRules): string {
  return `%{REQUEST_URI} =~ m#^/(${[...new Set(documents.flatMap(documentPaths))].join('|')})$# && %{REQUEST_STATUS} < 400`;
}

/** As it is asked for, and as the rewritten request names it. */
function documentPaths(document: DocumentRule): string[] {
  return [...new Set([documentPattern(document), escapeDots(document.file)])];
}

/** The error's body is named without the folder that all of them are in. */
function refuse(pattern: string, { status, file }: ErrorRule): string {
  return `RewriteRule ${pattern} - [E=ERR:${file.replace(/^errors\//, '')},R=${status},L]`;
}

function renderIndex(route: RouteRule, { notFound }: SiteRules): string {
  const file = `${route.fixed}/index.json`;
  const path = `^${escapeDots(route.fixed)}/?$`;
  const files = `^${escapeDots(route.fixed)}/(?:${route.files})$`;
  return [
    `# ${route.fixed}`,
    ...renderVariants(route, path, file, file),
    `RewriteCond %{DOCUMENT_ROOT}/${file} -f`,
    `RewriteRule ${path} ${file} [END]`,
    'RewriteCond %{REQUEST_FILENAME} -f',
    `RewriteRule ${files} - [END]`,
    refuse(`${path}|${files}`, notFound),
  ].join('\n');
}

function renderRoute(route: RouteRule): string {
  const fixed = escapeDots(route.fixed);
  const path = `^${fixed}/${route.segments.join('/')}$`;
  return [
    `# ${route.fixed}/…`,
    ...renderVariants(route, path, '$0', '%{REQUEST_URI}'),
    'RewriteCond %{REQUEST_FILENAME} -f',
    `RewriteRule ${path} - [END]`,
    ...route.ownErrors.flatMap((status) => [
      `RewriteCond %{DOCUMENT_ROOT}/errors/${status}/$0 -f`,
      `RewriteRule ${path} - [E=ERR:${status}/$0,R=${status},L]`,
    ]),
    refuse(path, route.notFound),
    refuse(`^${fixed}${'/[^/]+'.repeat(route.segments.length)}$`, route.badRequest),
    refuse(`^${fixed}/`, route.notFound),
  ].join('\n');
}

/** Of a parameter that is repeated, the first one counts. */
function renderVariants(route: RouteRule, path: string, file: string, base: string): string[] {
  return route.variants.flatMap(({ name, forms, otherwise }) => {
    const first = `^(?:(?!${name}=)[^&]*&)*${name}=`;
    const variants = forms.map(withOneGroup).flatMap(({ pattern, pathPart }) => {
      const variant = `variants/${name}/${pathPart('%1')}/${file}`;
      return [
        `RewriteCond %{QUERY_STRING} "${first}(?:${pattern})(?:&|$)"`,
        `RewriteCond %{DOCUMENT_ROOT}/${variant} -f`,
        `RewriteRule ${path} ${variant} [END]`,
      ];
    });
    if (otherwise === 'answer') return variants;
    return [
      ...variants,
      `RewriteCond %{QUERY_STRING} "${first}[^&]"`,
      `RewriteCond %{DOCUMENT_ROOT}${base.startsWith('%') ? base : `/${base}`} -f`,
      refuse(path, otherwise),
    ];
  });
}
