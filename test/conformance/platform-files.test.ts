// Reads the files for Netlify and Vercel, which cannot run on this machine, with the parsers that these platforms
// publish.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { beforeAll, expect, test } from 'vitest';
import { siteOf } from '#generator/host-files.ts';
import { netlify } from '#hosts/netlify.ts';
import { vercel } from '#hosts/vercel.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { loadPackage } from './servers/load-package.ts';

interface Redirect {
  readonly from: string;
  readonly query: object;
}

interface RedirectParser {
  parseAllRedirects(options: object): Promise<{ readonly redirects: readonly Redirect[]; readonly errors: unknown[] }>;
}

interface Redirector {
  parseJSON(rules: string, options: object): Promise<{ match(request: object): Match | null }>;
}

interface Match {
  readonly to: string;
  readonly status: number;
  readonly force: boolean;
}

interface HeadersParser {
  parseAllHeaders(options: object): Promise<{
    readonly headers: readonly { readonly forRegExp: RegExp; readonly values: Readonly<Record<string, string>> }[];
    readonly errors: readonly Error[];
  }>;
}

interface RoutingUtils {
  readonly routesSchema: Readonly<Record<string, unknown>>;
  normalizeRoutes(routes: readonly unknown[]): { readonly error: object | null };
}

const folder = tempFolderForFile();
beforeAll(() => {
  const site = siteOf('/srv/dist');
  for (const { path, text } of [...netlify.files(site), ...vercel.files(site)]) writeFileSync(join(folder, path), text);
});

const TOKEN = 'metadata/v1/ft/SP000000000000000000002Q6VF78.token';
const COLLECTION = 'metadata/v1/nft/SP000000000000000000002Q6VF78.collection';
const INTERFACE = 'v2/contracts/interface/SP000000000000000000002Q6VF78/token';
const FT = 'metadata/v1/ft';
const BAD_PAGE = 'errors/400/metadata/v1/ft/index.json 404!';

test.each([
  ['', 'errors/404.json 404'],
  ['nothing', 'errors/404.json 404'],
  [TOKEN, 'errors/404/metadata/v1/ft.json 404'],
  [`${TOKEN}?locale=pt-BR`, `variants/locale/pt-BR/${TOKEN} 200!`],
  [`${TOKEN}?other=1&locale=de`, `variants/locale/de/${TOKEN} 200!`],
  [`${TOKEN}?locale=..%2Fx`, `variants/locale/..%2Fx/${TOKEN} 200!`],
  [`metadata/ft/a.b?locale=de`, `variants/locale/de/${FT}/a.b 200!`],
  ['metadata/ft/a.b', `${FT}/a.b 200`],
  [FT, `${FT}/index.json 200`],
  [`${FT}/`, `${FT}/index.json 200`],
  ['metadata/ft', `${FT}/index.json 200`],
  [`${FT}?limit=20`, `${FT}/pages/20/0.json 200!`],
  [`${FT}?offset=40&limit=60`, `${FT}/pages/60/40.json 200!`],
  [`${FT}?offset=40`, `${FT}/pages/20/40.json 200!`],
  [`${FT}?limit=3&offset=40`, BAD_PAGE],
  [`${FT}?limit=20&name=a`, BAD_PAGE],
  [`${FT}?order=desc`, BAD_PAGE],
  [`${FT}/pages/20/40.json`, 'errors/404.json 404'],
  [COLLECTION, `${COLLECTION}/index.json 200`],
  [`${COLLECTION}?offset=60`, `${COLLECTION}/pages/60/60.json 200!`],
  [`${COLLECTION}?limit=20`, 'errors/400/metadata/v1/nft.json 404!'],
  [`${COLLECTION}/1`, 'errors/404/metadata/v1/nft.json 404'],
  [`${COLLECTION}/1?locale=de`, `variants/locale/de/${COLLECTION}/1 200!`],
  // A file at the path is sent instead, since the redirect is not forced.
  [`${INTERFACE}?tip=latest`, `variants/tip/latest/${INTERFACE} 200`],
  [`${INTERFACE}?tip=0xff`, 'errors/404/v2/contracts/interface.json 404'],
  ['search/contracts', 'search/contracts/index.json 200'],
])('Netlify rewrites /%s to %s', async (requested, expected) => {
  const { redirects, errors } = await loadPackage<RedirectParser>('@netlify/redirect-parser').parseAllRedirects({
    redirectsFiles: [],
    netlifyConfigPath: join(folder, 'netlify.toml'),
    configRedirects: [],
    minimal: false,
  });
  expect(errors).toEqual([]);
  const rules = redirects.map(({ from, query, ...rule }) => ({ ...rule, origin: from, params: query }));
  const matcher = await loadPackage<Redirector>('netlify-redirector').parseJSON(JSON.stringify(rules), {});
  const [path, query = ''] = `/${requested}`.split('?');
  const noValue = () => '';
  const request = { scheme: 'https', host: 'site.example', path, query, headers: {}, cookieValues: {} };
  const match = matcher.match({ ...request, getHeader: noValue, getCookie: noValue });
  expect(`${match?.to.slice(1)} ${match?.status}${match?.force ? '!' : ''}`).toBe(expected);
});

test.each([
  [TOKEN, 'application/json', 'public, max-age=60, must-revalidate'],
  [`${TOKEN}.html`, 'application/json', 'public, max-age=60, must-revalidate'],
  ['errors/404.json', 'application/json', 'no-store'],
  ['docs/', 'text/html; charset=utf-8', 'public, max-age=60, must-revalidate'],
  ['explorer/app.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['images/0.png', undefined, 'public, max-age=31536000, immutable'],
])('Netlify and Cloudflare find the headers of /%s', async (path, type, caching) => {
  const { headers, errors } = await loadPackage<HeadersParser>('@netlify/headers-parser').parseAllHeaders({
    headersFiles: [join(folder, '_headers')],
    configHeaders: [],
    minimal: false,
  });
  expect(errors).toEqual([]);
  const values = headers
    .filter(({ forRegExp }) => forRegExp.test(`/${path}`))
    .flatMap((each) => Object.entries(each.values));
  // Each header occurs once, since hosts combine repeated headers in different ways.
  expect(Object.keys(Object.fromEntries(values))).toHaveLength(values.length);
  expect(Object.fromEntries(values)).toMatchObject({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': caching });
  expect(Object.fromEntries(values)['Content-Type']).toBe(type);
});

test('Vercel accepts its routes', () => {
  const { routes } = JSON.parse(readFileSync(join(folder, 'vercel.json'), 'utf8')) as { routes: unknown[] };
  const { routesSchema, normalizeRoutes } = loadPackage<RoutingUtils>('@vercel/routing-utils');
  const ajv = new Ajv({ strict: false, allErrors: true });
  expect([ajv.validate(routesSchema, routes), ajv.errors]).toEqual([true, null]);
  expect(normalizeRoutes(routes).error).toBeNull();
});
