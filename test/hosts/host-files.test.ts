// Tests the files of hosts for the sample: their syntax is valid, their programs run, and they contain each route.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { findHost, HOSTS } from '#hosts/all.ts';
import { HOST_FILE_NAMES, type Host } from '#hosts/host.ts';
import { ROUTES } from '#routes/all.ts';
import type { Route } from '#routes/route.ts';
import { headersOf, objectHeaders } from '#serving/handle-request.ts';
import { planResponse } from '#serving/plan-response.ts';
import type { SiteRules } from '#serving/rules.ts';
import { DOCUMENTS } from '#site/documents.ts';
import type { SiteDocument } from '#site/site-document.ts';
import { describeRoutes, SITE_RULES } from '#site/site-rules.ts';
import { PRESSER } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { PLAIN, sampleSite } from './built-sample.ts';

test('has valid JSON files', () => {
  const files = HOSTS.flatMap((host) => host.files(sampleSite()));
  const json = files.filter(({ path }) => /\.(?:json|ndjson)$/.test(path));
  expect(json.length).toBeGreaterThan(2);
  for (const { text } of json) JSON.parse(text);
});

test('each program is a single file that includes the rules', async () => {
  const filesOf = (name: string) =>
    new Map(
      findHost(name)
        ?.files(sampleSite())
        .map(({ path, text }) => [path, text]),
    );
  const worker = filesOf('cloudflare').get('worker.js') ?? '';
  expect(worker).toBe(filesOf('cloudflare-r2').get('worker.js'));
  const file = join(tempFolder(), 'worker.mjs');
  writeFileSync(file, worker);
  const { default: program } = (await import(pathToFileURL(file).href)) as {
    default: { fetch(request: Request, environment: object, context?: object): Promise<Response> };
  };
  const ASSETS = {
    fetch: async ({ url }: Request) => {
      const body = PLAIN.get(new URL(url).pathname.slice(1));
      return new Response(body ?? null, { status: body === undefined ? 404 : 200 });
    },
  };
  const list = await program.fetch(new Request('https://host/metadata/ft?limit=3'), { ASSETS });
  expect(await list.json()).toMatchObject({ limit: 3, offset: 0, results: [{}, {}, {}] });
  expect((await program.fetch(new Request('https://host/nothing'), { ASSETS })).status).toBe(404);
  const logged: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => logged.push(work) };
  const SITE = { get: () => Promise.reject(new Error('get: We encountered an internal error. (10001)')) };
  const busy = await program.fetch(new Request('https://host/metadata/v1/ft'), { SITE }, context);
  expect([busy.status, await busy.json()]).toEqual([503, { error: 'Service Unavailable' }]);
  expect([busy.headers.get('Access-Control-Allow-Origin'), busy.headers.get('Retry-After')]).toEqual(['*', '2']);
  await expect(Promise.all(logged)).rejects.toThrow('10001');

  for (const host of ['cloudflare', 'cloudflare-r2'])
    expect(filesOf(host).get('wrangler.jsonc')).toContain('"main": "worker.js"');
});

/** Matches a path with a group of the request. */
const PLACEHOLDER = /\$|:(?:first|second|value|splat)/;

test('Vercel gets at most 2,048 routes, which name files of the build and end with an error', () => {
  const text = findHost('vercel')
    ?.files(sampleSite())
    .find(({ path }) => path === 'vercel.json')?.text;
  const { routes } = JSON.parse(text ?? '') as { routes: { src?: string; dest?: string; status?: number }[] };
  expect(routes.length).toBeLessThanOrEqual(2_048);
  for (const { src, dest = '$1' } of routes) {
    if (src !== undefined) new RegExp(`^${src}$`);
    expect([dest, PLACEHOLDER.test(dest) || PLAIN.has(dest.slice(1))]).toEqual([dest, true]);
  }
  // Errors of queries come before the search for files, and errors of paths after it.
  const [before, after] = [routes, routes.toReversed()].map((list) =>
    list.slice(
      0,
      list.findIndex((route) => 'handle' in route),
    ),
  );
  expect(before?.filter(({ status }) => status === 400).every((route) => 'has' in route)).toBe(true);
  expect(after?.some((route) => 'has' in route && 'status' in route)).toBe(false);
  expect(after?.[0]).toMatchObject({ src: '/([\\s\\S]*)', status: 404, dest: '/errors/404.json' });
});

test('Netlify gets redirects that name files of the build, and errors last', () => {
  const text = findHost('netlify')
    ?.files(sampleSite())
    .find(({ path }) => path === 'netlify.toml')?.text;
  const redirects = [...(text ?? '').matchAll(/from = "([^"]+)".* to = "([^"]+)", status = (\d+)/g)];
  for (const [, , to = ''] of redirects)
    expect([to, PLACEHOLDER.test(to) || PLAIN.has(to.slice(1))]).toEqual([to, true]);
  expect(redirects.at(-1)?.slice(1)).toEqual(['/*', '/errors/404.json', '404']);
  const positions = (search: RegExp) => redirects.flatMap(([redirect], index) => (search.test(redirect) ? index : []));
  // The error for a parameter precedes redirects that ignore the parameter.
  const list = 'from = "/metadata/v1/ft", query = ';
  expect(Math.max(...positions(new RegExp(`${list}{ (?:name|order) `)))).toBeLessThan(
    Math.min(...positions(new RegExp(`${list}{ (?:limit|offset) `))),
  );
});

test('lists all files of hosts within a site, so that hosts hide them', () => {
  const names = HOSTS.flatMap((host) => host.files(sampleSite()))
    .filter(({ where, path }) => where === 'site' && !path.startsWith('.'))
    .map(({ path }) => path);
  expect([...new Set(names)].sort()).toEqual([...HOST_FILE_NAMES].sort());
});

test('an object has the type of its response for any contract name', () => {
  const type = (path: string) => objectHeaders(path, SITE_RULES)['Content-Type'];
  for (const name of ['html', 'json', 'plain', 'docs', 'press-token'])
    for (const path of [
      `metadata/v1/ft/${PRESSER}.${name}`,
      `metadata/v1/status/${PRESSER}.${name}`,
      `errors/422/metadata/v1/ft/${PRESSER}.${name}`,
      `variants/locale/fr/metadata/v1/ft/${PRESSER}.${name}`,
      `v2/contracts/interface/${PRESSER}/${name}`,
    ])
      expect([path, type(path)]).toEqual([path, 'application/json']);
  expect(['openapi.json', 'metadata/v1/ft/index.json', 'errors/404.json'].map(type)).toEqual(
    Array(3).fill('application/json'),
  );
  expect(['index.html', 'docs/swagger-ui.css', `images/${'0'.repeat(64)}.png`].map(type)).toEqual([
    'text/html; charset=utf-8',
    'text/css; charset=utf-8',
    'image/png',
  ]);
});

test('includes a new route and a new document in the files of every host with rules', () => {
  const [listRoute, below] = [ROUTES.find(({ list }) => list !== undefined), ROUTES[0]] as [Route, Route];
  const list: Route = { ...listRoute, id: 'brand-new-list', path: 'brandnew/v9/nft' };
  const item: Route = {
    ...below,
    id: 'brand-new',
    path: 'brandnew/v9/nft/{collection}/{token_id}',
    parameters: [
      { name: 'collection', pattern: /^[A-Z]{3}$/ },
      { name: 'token_id', pattern: /^(?:0|[1-9][0-9]{0,5})$/ },
    ],
    variants: [
      {
        name: 'colour',
        summary: '',
        pattern: '(red|blue)',
        otherwise: { status: 422, body: { error: 'No such colour' } },
      },
    ],
    notFound: { status: 404, body: { error: 'the new 404' } },
    fileErrors: [422],
  };
  const headers = { 'Content-Type': 'text/x-brand-new', 'Cache-Control': 'public, max-age=777, immutable' };
  const document: SiteDocument = { file: 'brand-new/app.js', headers, render: () => 'new' };
  const more = describeRoutes([list, ...ROUTES, item], [...DOCUMENTS, document]);
  const [first] = planResponse(`/${document.file}`, new URLSearchParams(), more);
  expect([first?.status, first?.file]).toEqual([200, document.file]);
  expect(first && headersOf(first, more)).toMatchObject(headers);
  expect(HOST_FILE_NAMES).not.toContain(document.file);
  /** Returns the texts of all files of a host, without backslashes. For a bucket, adds the headers of an object. */
  const textOf = (host: Host, rules: SiteRules) => {
    const texts = host.files(sampleSite(rules)).map(({ text }) => text);
    if (host.name === 's3-cloudfront') texts.push(JSON.stringify(objectHeaders(document.file, rules)));
    return texts.join('\n').replaceAll('\\', '');
  };
  const without: string[] = [];
  for (const host of HOSTS) {
    const text = textOf(host, more);
    if (!text.includes('brandnew/v9/nft')) without.push(host.name);
    else {
      expect([host.name, textOf(host, SITE_RULES).includes('brand')]).toEqual([host.name, false]);
      for (const part of ['brand-new/app.js', 'max-age=777', 'text/x-brand-new'])
        expect([host.name, part, text.includes(part)]).toEqual([host.name, part, true]);
      if (host.name === 'serve') continue;
      expect([host.name, 'colour', text.includes('colour')]).toEqual([host.name, 'colour', true]);
      // Some hosts have the path of an error file in their rules. Others have the error itself in their program.
      const error = text.includes('404/brandnew/v9/nft.json') || text.includes('the new 404');
      expect([host.name, 'error', error]).toEqual([host.name, 'error', true]);
    }
  }
  // Only GitHub Pages cannot have rules.
  expect(without).toEqual(['github-pages']);
});
