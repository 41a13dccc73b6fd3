import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { findHost, findHosts, HOSTS } from '#hosts/all.ts';
import { ABILITIES, HOST_FILE_NAMES, type Host } from '#hosts/host.ts';
import { hostFilesInSite, siteOf } from '#press/host-files.ts';
import { hostsFolder } from '#press/open-output.ts';
import { ROUTES } from '#routes/all.ts';
import { isIncluded, type Route } from '#routes/route.ts';
import { objectHeaders } from '#serving/answer-request.ts';
import { indexFile } from '#serving/layout.ts';
import type { SiteRules } from '#serving/rules.ts';
import { DOCUMENTS } from '#site/documents.ts';
import { describeRoutes, SITE_RULES } from '#site/site-rules.ts';
import { runWarm } from '../support/run-warm.ts';
import { buildSample, filesBelow, indexSample, PRESSER, readTree } from '../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const folder = tempFolderForFile();
const db = join(folder, 'index.sqlite');
/** What every build has, whatever host it is for. */
let plain: Map<string, string>;

beforeAll(async () => {
  await indexSample(db);
  await buildSample(join(folder, 'plain'));
  plain = readTree(join(folder, 'plain'));
});

const build = (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
  runWarm(['build', '--db', db, ...args], { cwd, env });

/** Files of hosts below a folder: those in dist that every build has are left out. */
const hostFilesOf = (cwd: string): string[] =>
  filesBelow(cwd)
    .filter((path) => path.startsWith('dist-hosts/') || !plain.has(path.replace(/^dist\//, '')))
    .filter((path) => !path.startsWith('dist/.stxpress/'));

const WORKER = ['worker.js', 'wrangler.jsonc'];

/** By host: its files beside the site and in it. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  nginx: ['dist-hosts/nginx/stxpress.conf'],
  caddy: ['dist-hosts/caddy/Caddyfile'],
  apache: ['dist/.htaccess'],
  cloudflare: [...WORKER.map((name) => `dist-hosts/cloudflare/${name}`), 'dist/.assetsignore'],
  'cloudflare-r2': WORKER.map((name) => `dist-hosts/cloudflare-r2/${name}`),
  netlify: ['dist/_headers', 'dist/_redirects'],
  vercel: ['dist/.vercelignore', 'dist/vercel.json'],
  's3-cloudfront': [
    'README.md',
    'key-values.json',
    'origin-response.mjs',
    'response-headers-policy.json',
    'viewer-request.js',
  ].map((name) => `dist-hosts/s3-cloudfront/${name}`),
  'github-pages': ['dist/.nojekyll'],
  serve: [],
};
const ALL = HOSTS.map((host) => host.name);

/** The site of the sample as an adapter sees it. */
const sampleSite = (rules: SiteRules = SITE_RULES) => {
  const conditional = [...plain.keys()].filter((path) => /^(?:metadata\/v1\/ft|errors\/422|variants)\//.test(path));
  return { ...siteOf('/srv/dist', conditional.sort()), rules };
};

describe('build --host', () => {
  test('default', () => {
    expect(Object.keys(FILES)).toEqual(ALL);
    expect(hostsFolder('dist')).toBe('dist-hosts');
  });

  test('behavior: the files of each host, in their places', async () => {
    const results = await Promise.all(
      ALL.map(async (name) => {
        const cwd = tempFolder();
        return { name, cwd, ...(await build(cwd, ['--host', name])) };
      }),
    );
    for (const { name, cwd, status, stdout, stderr } of results) {
      expect([name, status, stderr]).toEqual([name, 0, '']);
      expect(stdout).toMatch(new RegExp(`^Built dist .*\n${name}: .+\n$`));
      expect([name, hostFilesOf(cwd)]).toEqual([name, [...(FILES[name] ?? [])].sort()]);
      // The site itself is the same for every host.
      const site = readTree(join(cwd, 'dist'));
      for (const [path, body] of plain) expect([name, path, site.get(path) === body]).toEqual([name, path, true]);
    }
  });

  test('behavior: several hosts at once, in every notation', async () => {
    const hosts = ['nginx', 'netlify', 'github-pages'];
    const expected = hosts.flatMap((host) => FILES[host] ?? []).sort();
    const notations: [string[], Record<string, string>, unknown][] = [
      [['--host', 'nginx', '--host', 'netlify, github-pages', '--host', 'nginx'], {}, undefined],
      [[], { STXPRESS_BUILD_HOST: 'netlify,nginx,github-pages' }, { 'build-host': 'vercel' }],
      [[], {}, { 'build-host': hosts }],
      [['--host=nginx,netlify,github-pages'], { STXPRESS_BUILD_HOST: 'vercel' }, undefined],
    ];
    const results = await Promise.all(
      notations.map(async ([args, env, config]) => {
        const cwd = tempFolder();
        if (config !== undefined) writeFileSync(join(cwd, 'stxpress.config.json'), JSON.stringify(config));
        return { args, cwd, ...(await build(cwd, args, env)) };
      }),
    );
    const [first] = results.map(({ cwd }) => readTree(join(cwd, 'dist')));
    for (const { args, cwd, status, stdout, stderr } of results) {
      expect([args, status, stderr]).toEqual([args, 0, '']);
      for (const host of hosts)
        expect(stdout.split('\n').filter((line) => line.startsWith(`${host}: `))).toHaveLength(1);
      expect([args, hostFilesOf(cwd).filter((path) => path !== 'stxpress.config.json')]).toEqual([args, expected]);
      expect(readTree(join(cwd, 'dist'))).toEqual(first);
    }
  });

  test('behavior: all hosts together', async () => {
    const cwd = tempFolder();
    const together = ALL.filter((name) => name !== 'netlify');
    expect(await build(cwd, ['--host', together.join(',')])).toMatchObject({ status: 0, stderr: '' });
    expect(hostFilesOf(cwd)).toEqual(together.flatMap((name) => FILES[name] ?? []).sort());
    // Those that share a file agree on it, so that it does not matter who comes last.
    const texts = new Map<string, string>();
    for (const host of HOSTS) {
      for (const { path, body } of hostFilesInSite([host], sampleSite()))
        expect([path, texts.get(path) ?? body]).toEqual([path, body]);
      for (const { path, body } of hostFilesInSite([host], sampleSite())) texts.set(path, body);
    }
  });

  test('error: usage, for hosts of which one reads the files of the other', async () => {
    const cwd = tempFolder();
    const { status, stdout, stderr } = await build(cwd, ['--host', 'netlify,nginx', '--host', 'cloudflare']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('cloudflare and netlify cannot share a site: Wrangler applies the _redirects');
    expect(filesBelow(cwd)).toEqual([]);
    // What a host reads within a site, as its documentation and its program say; a bucket reads nothing.
    const READS: Readonly<Record<string, readonly string[]>> = {
      apache: ['.htaccess'],
      cloudflare: ['.assetsignore', '_headers', '_redirects'],
      netlify: ['404.html', '_headers', '_redirects', 'netlify.toml'],
      vercel: ['.vercelignore', '404.html', 'now.json', 'vercel.json'],
      'github-pages': ['.nojekyll', '404.html', 'CNAME'],
      serve: ['404.html', 'now.json', 'package.json', 'serve.json'],
    };
    const inSite = (names: readonly string[]) =>
      hostFilesInSite(
        names.map((name) => findHost(name) as Host),
        sampleSite(),
      ).map(({ path }) => path);
    for (const one of ALL)
      for (const other of ALL) {
        // Every site has the files for `serve`.
        const own = inSite([one, 'serve']);
        const foreign = inSite([other]).filter((path) => !own.includes(path) && READS[one]?.includes(path));
        const [isRefused, isClash] = [findHost(one)?.notWith?.[other] !== undefined, foreign.length > 0];
        expect([one, other, isRefused]).toEqual([one, other, isClash]);
      }
  });

  test('error: usage', async () => {
    const cwd = tempFolder();
    const { status, stdout, stderr } = await build(cwd, ['--host', 'nginx,heroku']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^stxpress: --host is "heroku", and takes one or more of: .*\n$/);
    for (const name of ALL) expect(stderr).toMatch(new RegExp(`[ ,]${name}[,\n]`));
    expect(filesBelow(cwd)).toEqual([]);
    for (const name of ['', 'NGINX', '../../etc', 'constructor', '__proto__', 'nginx '])
      expect(() => findHosts(['nginx', name])).toThrow(`--host is ${JSON.stringify(name)}`);
    expect(findHosts(['nginx', 'serve', 'nginx']).map((host) => host.name)).toEqual(['nginx', 'serve']);
  });

  test('error: usage, from the environment and the configuration', async () => {
    const cwd = tempFolder();
    expect(await build(cwd, [], { STXPRESS_BUILD_HOST: 'heroku' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('"heroku"'),
    });
    writeFileSync(join(cwd, 'stxpress.config.json'), '{"build-host":7}');
    expect(await build(cwd, [])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('"build-host" in stxpress.config.json takes a string or a list of strings'),
    });
    // The address that `serve` listens on is another setting.
    writeFileSync(join(cwd, 'stxpress.config.json'), '{"host":"127.0.0.2"}');
    expect(await build(cwd, [])).toMatchObject({ status: 0, stderr: '' });
    expect(hostFilesOf(cwd)).toEqual(['stxpress.config.json']);
  });

  test('behavior: the folder of hosts is beside the output folder, however that is named', async () => {
    const cwd = tempFolder();
    const { stdout } = await build(cwd, ['--out', 'dist/', '--host', 'nginx,cloudflare']);
    expect(hostFilesOf(cwd)).toEqual([...(FILES.cloudflare ?? []), ...(FILES.nginx ?? [])].sort());
    expect(stdout).toContain(`include ${join(cwd, 'dist-hosts/nginx/stxpress.conf')}`);
    const { assets } = readJsonc(join(cwd, 'dist-hosts/cloudflare/wrangler.jsonc')) as { assets: object };
    expect(assets).toMatchObject({ directory: '../../dist' });
    for (const [out, beside] of [
      ['dist', 'dist-hosts'],
      ['./dist//', 'dist-hosts'],
      ['/srv/site/', '/srv/site-hosts'],
      ['a/b.c', 'a/b.c-hosts'],
      ['a/.', 'a-hosts'],
    ] as const)
      expect([out, normalize(hostsFolder(out))]).toEqual([out, beside]);
    expect(resolve(hostsFolder('.'))).toBe(`${process.cwd()}-hosts`);
    expect(resolve(hostsFolder('..'))).toBe(`${dirname(process.cwd())}-hosts`);
  });

  test('behavior: files name the folders as they are', async () => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, 'my site'));
    const { status, stdout } = await build(cwd, [
      '--out',
      'my site/public',
      '--host',
      'nginx,caddy,cloudflare,s3-cloudfront',
    ]);
    expect(status).toBe(0);
    expect(stdout).toContain(`nginx: include '${join(cwd, 'my site/public-hosts/nginx/stxpress.conf')}' in http { }`);
    const read = (path: string) => readFileSync(join(cwd, 'my site/public-hosts', path), 'utf8');
    expect(read('nginx/stxpress.conf')).toContain(`root "${join(cwd, 'my site/public')}";`);
    expect(read('caddy/Caddyfile')).toContain(`root * "${join(cwd, 'my site/public')}"`);
    const { assets } = readJsonc(join(cwd, 'my site/public-hosts/cloudflare/wrangler.jsonc')) as { assets: object };
    expect(assets).toMatchObject({ directory: '../../public' });
    expect(read('s3-cloudfront/README.md')).toContain('../../public');
  });

  test('behavior: what is as it should be is not touched, and what is not is written anew', async () => {
    const cwd = tempFolder();
    const args = ['--host', 'nginx,apache,s3-cloudfront,cloudflare'];
    await build(cwd, args);
    const files = hostFilesOf(cwd);
    const before = new Map(files.map((path) => [path, readFileSync(join(cwd, path), 'utf8')]));
    const long = new Date('2020-01-01T00:00:00Z');
    for (const path of files) utimesSync(join(cwd, path), long, long);
    const times = () => files.filter((path) => statSync(join(cwd, path)).mtimeMs !== long.getTime());

    expect((await build(cwd, args)).stdout).toContain(': 0 files written');
    expect(times()).toEqual([]);
    expect((await build(cwd, [...args, '--full'])).stdout).toContain(': 0 files written');
    expect(times()).toEqual([]);

    // One beside the site is mended by any build, as it is not part of what is served.
    const conf = join(cwd, 'dist-hosts/nginx/stxpress.conf');
    const inode = statSync(conf).ino;
    writeFileSync(conf, 'server {');
    await build(cwd, args);
    expect(readFileSync(conf, 'utf8')).toBe(before.get('dist-hosts/nginx/stxpress.conf'));
    expect(times()).toEqual(['dist-hosts/nginx/stxpress.conf']);
    // It is put in place whole: whoever has the old one open reads that one to its end.
    expect(statSync(conf).ino).not.toBe(inode);
    expect(filesBelow(cwd).filter((path) => path.endsWith('.new'))).toEqual([]);
    expect(new Map(hostFilesOf(cwd).map((path) => [path, readFileSync(join(cwd, path), 'utf8')]))).toEqual(before);
  });

  test('behavior: what an interrupted build did not write beside the site, an unchanged one does', async () => {
    const cwd = tempFolder();
    const args = ['--host', 'nginx,s3-cloudfront'];
    mkdirSync(join(cwd, 'dist-hosts'));
    writeFileSync(join(cwd, 'dist-hosts/s3-cloudfront'), 'in the way');
    expect((await build(cwd, args)).status).toBe(1);
    rmSync(join(cwd, 'dist-hosts/s3-cloudfront'));
    expect((await build(cwd, args)).stdout).toContain(': 0 files written');
    const expected = [...(FILES.nginx ?? []), ...(FILES['s3-cloudfront'] ?? [])].sort();
    expect(hostFilesOf(cwd)).toEqual(expected);
    rmSync(join(cwd, 'dist-hosts/s3-cloudfront/key-values.json'));
    await build(cwd, args);
    expect(hostFilesOf(cwd)).toEqual(expected);
  });

  test('behavior: a site that was moved is named where it is now', async () => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, 'old'));
    await build(cwd, ['--out', 'old/dist', '--host', 'nginx']);
    renameSync(join(cwd, 'old'), join(cwd, 'new'));
    expect((await build(cwd, ['--out', 'new/dist', '--host', 'nginx'])).stdout).toContain(': 0 files written');
    const conf = readFileSync(join(cwd, 'new/dist-hosts/nginx/stxpress.conf'), 'utf8');
    expect(conf).toContain(`root "${join(cwd, 'new/dist')}";`);
  });

  test('behavior: without --host its files leave the site, and what is beside it stays', async () => {
    const cwd = tempFolder();
    await build(cwd, ['--host', 'apache,vercel,netlify,nginx']);
    const beside = readTree(join(cwd, 'dist-hosts'));
    expect(await build(cwd, [])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`: 0 files written (0 B), ${plain.size} unchanged, 5 removed`),
      // A site goes on without them, so it is said.
      stderr: expect.stringMatching(/Removed \.htaccess, .*vercel\.json: .*build-host/),
    });
    expect(readTree(join(cwd, 'dist'))).toEqual(plain);
    expect(readTree(join(cwd, 'dist-hosts'))).toEqual(beside);
    expect([...beside.keys()]).toEqual(['nginx/stxpress.conf']);
    // One host less takes its files alone, and another host's come.
    await build(cwd, ['--host', 'apache,netlify']);
    await build(cwd, ['--host', 'netlify,vercel']);
    expect(hostFilesOf(cwd).filter((path) => path.startsWith('dist/'))).toEqual(
      [...(FILES.netlify ?? []), ...(FILES.vercel ?? [])].sort(),
    );
    expect(readTree(join(cwd, 'dist-hosts'))).toEqual(beside);
  });

  test('behavior: --only tokens has every file that its rules name', async () => {
    const cwd = tempFolder();
    expect(await build(cwd, ['--only', 'tokens', '--host', 'nginx'])).toMatchObject({ status: 0 });
    const answers = SITE_RULES.rules.flatMap((rule) => rule.answers);
    const named = [...Object.keys(SITE_RULES.errors), ...answers.map(({ file }) => file)];
    // Of the lists that it leaves out, there is no file.
    const leftOut = ROUTES.filter((route) => !isIncluded(route, 'tokens')).map(indexFile);
    const fixed = [...new Set(named)].filter((file) => !file.includes('{') && !leftOut.includes(file));
    expect(fixed.length).toBeGreaterThan(20);
    for (const file of fixed) expect([file, existsSync(join(cwd, 'dist', file))]).toEqual([file, true]);
  });
});

describe('the files of hosts', () => {
  test('behavior: those that are JSON are JSON', () => {
    const files = HOSTS.flatMap((host) => host.files(sampleSite()));
    const json = files.filter(({ path }) => /\.(?:json|ndjson)$/.test(path));
    expect(json.length).toBeGreaterThan(2);
    for (const { text } of json) JSON.parse(text);
  });

  test('behavior: programs are one file each, and know the rules', async () => {
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
      default: { fetch(request: Request, environment: object): Promise<Response> };
    };
    const ASSETS = {
      fetch: async ({ url }: Request) => {
        const body = plain.get(new URL(url).pathname.slice(1));
        return new Response(body ?? null, { status: body === undefined ? 404 : 200 });
      },
    };
    const list = await program.fetch(new Request('https://host/metadata/ft?limit=3'), { ASSETS });
    expect(await list.json()).toMatchObject({ limit: 3, offset: 0, results: [{}, {}, {}] });
    expect((await program.fetch(new Request('https://host/nothing'), { ASSETS })).status).toBe(404);

    const bucket = filesOf('s3-cloudfront');
    for (const name of ['viewer-request.js', 'origin-response.mjs'])
      expect([name, bucket.get(name)?.includes('metadata/v1/ft')]).toEqual([name, true]);
    // The runtime finds the entry by its name.
    expect(bucket.get('viewer-request.js')).toMatch(
      /^\/\/ .+\nimport cf from 'cloudfront';\n.*\basync function handler\(/s,
    );
    for (const host of ['cloudflare', 'cloudflare-r2'])
      expect(filesOf(host).get('wrangler.jsonc')).toContain('"main": "worker.js"');
  });

  test('behavior: no path is a name of JavaScript itself', async () => {
    const host = findHost('s3-cloudfront') as Host;
    const text = host.files(sampleSite()).find(({ path }) => path === 'viewer-request.js')?.text ?? '';
    const file = join(tempFolder(), 'viewer-request.mjs');
    const store = '{ kvs: () => ({ exists: async () => false, get: async () => "" }) }';
    writeFileSync(
      file,
      `${text.replace(/^import cf from 'cloudfront';$/m, `const cf = ${store};`)}\nexport { handler };\n`,
    );
    const { handler } = (await import(pathToFileURL(file).href)) as {
      handler: (event: unknown) => Promise<{ statusCode?: number; uri?: unknown }>;
    };
    const answer = (uri: string) => handler({ request: { method: 'GET', uri, querystring: {}, headers: {} } });
    expect(await answer('/docs/')).toMatchObject({ uri: '/docs/index.html' });
    for (const name of ['constructor', '__proto__', 'toString', 'constructor/', 'hasOwnProperty'])
      expect([name, await answer(`/${name}`)]).toMatchObject([name, { uri: '/errors/404.json' }]);
  });

  test('behavior: what hosts read within a site is known to those that must hide it', () => {
    const names = HOSTS.flatMap((host) => host.files(sampleSite()))
      .filter(({ place, path }) => place === 'site' && !path.startsWith('.'))
      .map(({ path }) => path);
    expect([...new Set(names)].sort()).toEqual([...HOST_FILE_NAMES].sort());
  });

  test('error: usage for a folder that a configuration cannot name', async () => {
    const cwd = tempFolder();
    const built = await build(cwd, ['--host', 'caddy', '--out', '{folder}/dist']);
    expect([built.status, built.stderr]).toEqual([1, expect.stringContaining('caddy')]);
    expect(readdirSync(cwd)).toEqual([]);
    expect((await build(cwd, ['--host', 'nginx', '--out', '{folder}/dist'])).status).toBe(0);
  });

  test('error: out-unwritable for a file in place of the folder of hosts, before anything is written', async () => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'dist-hosts'), 'mine');
    const built = await build(cwd, ['--host', 'nginx']);
    expect([built.status, built.stderr]).toEqual([1, expect.stringContaining('dist-hosts')]);
    expect(readdirSync(cwd)).toEqual(['dist-hosts']);
  });

  test('behavior: an object has the type of its answer, however its contract is called', () => {
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

  test('behavior: a new route is in the files of every host that has rules', () => {
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
          forms: [{ pattern: '(red|blue)', value: '{1}' }],
          otherwise: { status: 422, body: { error: 'No such colour' } },
        },
      ],
      notFound: { status: 404, body: { error: 'the new 404' } },
      ownErrors: [422],
    };
    const more = describeRoutes([list, ...ROUTES, item], DOCUMENTS);
    /** All that an adapter writes, as one text. */
    const textOf = (host: Host, rules: SiteRules) =>
      host
        .files(sampleSite(rules))
        .map(({ text }) => text)
        .join('\n');
    const without: string[] = [];
    for (const host of HOSTS) {
      const text = textOf(host, more);
      // Some escape dots and slashes.
      if (!text.replaceAll('\\', '').includes('brandnew/v9/nft')) without.push(host.name);
      else {
        expect([host.name, textOf(host, SITE_RULES).includes('brand')]).toEqual([host.name, false]);
        if (host.name === 'serve') continue;
        expect([host.name, 'colour', text.includes('colour')]).toEqual([host.name, 'colour', true]);
        // An error is a file of the build, or is in the program itself.
        const error = text.includes('404/brandnew/v9/nft.json') || text.includes('the new 404');
        expect([host.name, 'error', error]).toEqual([host.name, 'error', true]);
      }
    }
    // It answers whatever is there with what it has, and reads no rules.
    expect(without).toEqual(['github-pages']);
  });
});

describe('stxpress hosts', () => {
  test('default', async () => {
    const { status, stdout, stderr } = await runWarm(['hosts'], { cwd: tempFolder() });
    expect([status, stderr]).toEqual([0, '']);
    const blocks = stdout.split('\n\n');
    for (const host of HOSTS) {
      const block = blocks.find((one) => one.startsWith(`${host.name}: `)) ?? '';
      expect(block).toContain(`${host.name}: ${host.title.replaceAll('`', '')}\n  use: `);
      const lacks = Object.entries(host.otherwise);
      expect(block.includes('does all of it, but:')).toBe(lacks.length > 0);
      for (const [ability, instead] of lacks)
        expect(block).toContain(
          `    ${ABILITIES[ability as keyof typeof ABILITIES].label}: ${instead}`.replaceAll('`', ''),
        );
      expect(block.split('\n').filter((line) => line.startsWith('    '))).toHaveLength(lacks.length);
      for (const { most, of } of host.limits) expect(block).toContain(`${most.toLocaleString('en')} ${of}`);
    }
    const all = blocks.find((one) => one.startsWith('All of it is:')) ?? '';
    for (const { label, means } of Object.values(ABILITIES))
      expect(all).toContain(`${label}: ${means}`.replaceAll('`', ''));
    expect(stdout).toContain('npm run build -- --host');
    expect(stdout).not.toContain('`');
  });

  test('behavior: it is told as JSON, too', async () => {
    const { status, stdout } = await runWarm(['hosts', '--log', 'json'], { cwd: tempFolder() });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ message: expect.stringContaining('nginx') });
  });
});

/** A file of JSON with lines of comments in front. */
function readJsonc(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8').replace(/^\/\/.*\n/gm, ''));
}
