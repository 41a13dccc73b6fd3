// Redirects that are odd, by a description of the oddity. The test replaces `HOST` by the host and port of its server.
import { BODY, EMPTY, LENGTH, lengthOf, type OddResponse, OK, raw, withHead } from './odd-response.ts';

const redirect = (status: number, location: string, body: Buffer = EMPTY, ...fields: readonly string[]) => {
  const locationFields = location === '' ? [] : [`Location: ${location}`];
  return withHead([`HTTP/1.1 ${status} Odd`, ...locationFields, ...fields, lengthOf(body)], body);
};
/** The folder of the redirects' targets. For each path in it, the server sends {@link TEXT} followed by the path. */
export const TARGET = '/target/';

export const ODD_REDIRECTS: Readonly<Record<string, OddResponse>> = {
  ...Object.fromEntries(
    [300, 301, 302, 303, 305, 306, 307, 308, 309, 399].map((status) => [
      `redirect ${status}`,
      redirect(status, `${TARGET}${status}`),
    ]),
  ),
  'redirect with a body': redirect(302, `${TARGET}body`, Buffer.from('moved')),
  'redirect with a large body': redirect(302, `${TARGET}large`, Buffer.alloc(3_000_000, 'x')),
  'redirect with a body that is cut': raw(
    `HTTP/1.1 302 Found\r\nLocation: ${TARGET}cut\r\nContent-Length: 500\r\n\r\nmoved`,
    EMPTY,
  ),
  'redirect with gzip that is none': redirect(302, `${TARGET}gzip`, BODY, 'Content-Encoding: gzip'),
  'redirect that stays open': raw(`HTTP/1.1 302 Found\r\nLocation: ${TARGET}open\r\nContent-Length: 0\r\n\r\n`, EMPTY, {
    staysOpen: true,
  }),
  'redirect without a length': raw(`HTTP/1.1 302 Found\r\nLocation: ${TARGET}none\r\n\r\n`, EMPTY),
  'redirect in HTTP/1.0': raw(`HTTP/1.0 302 Found\r\nLocation: ${TARGET}one\r\n\r\n`, EMPTY),
  'redirect relative to the folder': redirect(302, 'target/relative'),
  'redirect with dots': redirect(302, './x/../target/dots'),
  'redirect to a query': redirect(302, `${TARGET}query?a=b&c=%20`),
  'redirect to a query alone': redirect(302, '?target'),
  'redirect to a fragment': redirect(302, `${TARGET}fragment#part`),
  'redirect with blanks': redirect(302, `${TARGET}two words`),
  'redirect with blanks at its ends': redirect(302, `  \t${TARGET}ends \t`),
  'redirect beyond ASCII': redirect(302, `${TARGET}\xc3\xbc`),
  'redirect in Latin-1': redirect(302, `${TARGET}\xfc`),
  'redirect beyond the plane': redirect(302, `${TARGET}\xf0\x9f\x98\x80`),
  'redirect with encoded bytes': redirect(302, `${TARGET}%C3%BC%2f%zz`),
  'redirect with odd characters': redirect(302, `${TARGET}a|b"c<d>e\`f{g}h^i[j]`),
  'redirect with a backslash': redirect(302, '\\target\\back'),
  'redirect without a scheme': redirect(302, '//HOST/target/scheme'),
  'redirect with a scheme alone': redirect(302, 'http:/target/alone'),
  'redirect with three slashes': redirect(302, 'http:///HOST/target/three'),
  'redirect in capitals': redirect(302, 'HTTP://HOST/target/capitals'),
  'redirect with a name in small letters': raw(
    `HTTP/1.1 302 Found\r\nlocation: ${TARGET}small\r\nContent-Length: 0\r\n\r\n`,
    EMPTY,
  ),
  'redirect on two lines': redirect(302, `${TARGET}first`, EMPTY, `Location: ${TARGET}first`),
  'redirect to two places': redirect(302, `${TARGET}first`, EMPTY, `Location: ${TARGET}second`),
  'redirect with a cookie': redirect(302, `${TARGET}cookie`, EMPTY, 'Set-Cookie: a=b'),
  'redirect to nothing': redirect(302, '', BODY),
  'redirect to an empty locationFields': redirect(302, ' ', BODY),
  'redirect to itself with another query': redirect(302, '/redirect to itself with another query?target'),
  'status 200 with a location': redirect(200, `${TARGET}ok`, BODY),
  'status 201 with a location': redirect(201, `${TARGET}created`, BODY),
  'a refresh': withHead([OK, `Refresh: 0; url=${TARGET}refresh`, LENGTH]),
};
