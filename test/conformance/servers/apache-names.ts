// What Debian's Apache reads into the names of files: types, encodings, languages, character sets and compression, as
// its modules' files say.

const LANGUAGES = `
am .amh, ar .ara, be .be, bg .bg, bn .bn, br .br, bs .bs, ca .ca, cs .cz .cs, cy .cy, da .da, da .dk, de .de, dz
.dz, el .el, en .en, eo .eo, es .es, et .et, eu .eu, fa .fa, fi .fi, fr .fr, ga .ga, gl .glg, gu .gu, he .he, hi
.hi, hr .hr, hu .hu, hy .hy, id .id, is .is, it .it, ja .ja, ka .ka, kk .kk, km .km, kn .kn, ko .ko, ku .ku, lo .lo,
lt .lt, ltz .ltz, lv .lv, mg .mg, mk .mk, ml .ml, mr .mr, ms .msa, nb .nob, ne .ne, nl .nl, nn .nn, no .no, pa .pa,
pl .po, pt-BR .pt-br, pt .pt, ro .ro, ru .ru, sa .sa, se .se, si .si, sk .sk, sl .sl, sq .sq, sr .sr, sv .sv, ta
.ta, te .te, th .th, tl .tl, tr .tr, uk .uk, ur .ur, vi .vi, wo .wo, xh .xh, zh-CN .zh-cn, zh-TW .zh-tw`;

const CHARSETS = `
us-ascii .ascii .us-ascii, ISO-8859-1 .iso8859-1 .latin1, ISO-8859-2 .iso8859-2 .latin2 .cen, ISO-8859-3 .iso8859-3
.latin3, ISO-8859-4 .iso8859-4 .latin4, ISO-8859-5 .iso8859-5 .cyr .iso-ru, ISO-8859-6 .iso8859-6 .arb .arabic,
ISO-8859-7 .iso8859-7 .grk .greek, ISO-8859-8 .iso8859-8 .heb .hebrew, ISO-8859-9 .iso8859-9 .latin5 .trk,
ISO-8859-10 .iso8859-10 .latin6, ISO-8859-13 .iso8859-13, ISO-8859-14 .iso8859-14 .latin8, ISO-8859-15 .iso8859-15
.latin9, ISO-8859-16 .iso8859-16 .latin10, ISO-2022-JP .iso2022-jp .jis, ISO-2022-KR .iso2022-kr .kis, ISO-2022-CN
.iso2022-cn .cis, Big5 .Big5 .big5 .b5, cn-Big5 .cn-big5, WINDOWS-1251 .cp-1251 .win-1251, CP866 .cp866, KOI8 .koi8,
KOI8-E .koi8-e, KOI8-r .koi8-r .koi8-ru, KOI8-U .koi8-u, KOI8-ru .koi8-uk .ua, ISO-10646-UCS-2 .ucs2,
ISO-10646-UCS-4 .ucs4, UTF-7 .utf7, UTF-8 .utf8, UTF-16 .utf16, UTF-16BE .utf16be, UTF-16LE .utf16le, UTF-32 .utf32,
UTF-32BE .utf32be, UTF-32LE .utf32le, euc-cn .euc-cn, euc-gb .euc-gb, euc-jp .euc-jp, euc-kr .euc-kr, EUC-TW
.euc-tw, gb2312 .gb2312 .gb, iso-10646-ucs-2 .ucs-2 .iso-10646-ucs-2, iso-10646-ucs-4 .ucs-4 .iso-10646-ucs-4,
shift_jis .shift_jis .sjis, BRF .brf`;

const linesOf = (directive: string, names: string): string =>
  names
    .split(/,\s/)
    .map((name) => `${directive} ${name.trim().replace(/\s/g, ' ')}`)
    .join('\n');

/** The encodings are commented out there; installations that once upgraded from an older release have them. */
export const DEBIAN_NAMES = `AddEncoding x-compress .Z
AddEncoding x-gzip .gz .tgz
AddEncoding br .br
AddType application/x-compress .Z
AddType application/x-gzip .gz .tgz
AddType application/x-bzip2 .bz2
AddType text/html .shtml
AddHandler type-map var
RemoveType es tr
${linesOf('AddLanguage', LANGUAGES)}
${linesOf('AddCharset', CHARSETS)}
LanguagePriority en ca cs da de el eo es et fr he hr it ja ko ltz nl nn no pl pt pt-BR ru sv tr zh-CN zh-TW
ForceLanguagePriority Prefer Fallback
AddOutputFilterByType DEFLATE text/html text/plain text/xml text/css text/javascript
AddOutputFilterByType DEFLATE application/x-javascript application/javascript application/ecmascript
AddOutputFilterByType DEFLATE application/rss+xml application/wasm application/xml`;
