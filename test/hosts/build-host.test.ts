// Tests `build --hosts`: the files that a build writes for hosts, and the errors that it reports.
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
import { expect, test } from 'vitest';
import { hostsFolder } from '#generator/open-output.ts';
import { indexFile } from '#layout/response-files.ts';
import { ROUTES } from '#routes/all.ts';
import { isIncluded } from '#routes/route.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { okOf } from '../support/run-cli.ts';
import { filesBelow, readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ALL, FILES, hostFilesOf, PLAIN, sampleBuilder } from './built-sample.ts';

const build = sampleBuilder();

test('writes the files of each host', async () => {
  expect(Object.keys(FILES)).toEqual(ALL);
  const results = await Promise.all(
    ALL.map(async (name) => {
      const cwd = tempFolder();
      return { name, cwd, ...(await build(cwd, ['--hosts', name])) };
    }),
  );
  for (const { name, cwd, status, stdout, stderr } of results) {
    expect([name, status, stderr]).toEqual([name, 0, '']);
    expect(stdout).toMatch(new RegExp(`^Built dist .*\n${name}: .+\n$`));
    expect([name, hostFilesOf(cwd)]).toEqual([name, [...(FILES[name] ?? [])].sort()]);
    // For each host, the site has the same files as without a host. Only the host's files are added.
    const site = readTree(join(cwd, 'dist'));
    for (const [path, body] of PLAIN) expect([name, path, site.get(path) === body]).toEqual([name, path, true]);
  }
});

test('writes the current paths of folders, next to any output folder', async () => {
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'my site'));
  const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
  const hosts = 'nginx,caddy,cloudflare,s3-cloudfront';
  const stdout = okOf(await build(cwd, ['--out', 'my site/public/', '--hosts', hosts]));
  expect(stdout).toContain(`nginx: include '${join(cwd, 'my site/public-hosts/nginx/stxpress.conf')}' in http { }`);
  expect(read('my site/public-hosts/nginx/stxpress.conf')).toContain(`root "${join(cwd, 'my site/public')}";`);
  expect(read('my site/public-hosts/caddy/Caddyfile')).toContain(`root * "${join(cwd, 'my site/public')}"`);
  const wrangler = read('my site/public-hosts/cloudflare/wrangler.jsonc').replace(/^\/\/.*\n/gm, '');
  expect(JSON.parse(wrangler)).toMatchObject({ assets: { directory: '../../public' } });
  expect(read('my site/public-hosts/s3-cloudfront/README.md')).toContain(
    `npm run publish -- --out '${join(cwd, 'my site/public')}' --to`,
  );
  // The site was moved, so the files of hosts contain its new path.
  renameSync(join(cwd, 'my site'), join(cwd, 'new'));
  const moved = okOf(await build(cwd, ['--out', 'new/public', '--hosts', 'nginx']));
  expect(moved).toContain(': 0 files written');
  expect(moved).toContain(`include ${join(cwd, 'new/public-hosts/nginx/stxpress.conf')}`);
  expect(read('new/public-hosts/nginx/stxpress.conf')).toContain(`root "${join(cwd, 'new/public')}";`);
  for (const [out, hostsPath] of [
    ['dist', 'dist-hosts'],
    ['./dist//', 'dist-hosts'],
    ['/srv/site/', '/srv/site-hosts'],
    ['a/b.c', 'a/b.c-hosts'],
    ['a/.', 'a-hosts'],
  ] as const)
    expect([out, normalize(hostsFolder(out))]).toEqual([out, hostsPath]);
  expect(resolve(hostsFolder('.'))).toBe(`${process.cwd()}-hosts`);
  expect(resolve(hostsFolder('..'))).toBe(`${dirname(process.cwd())}-hosts`);
});

test('writes only changed and damaged files', async () => {
  const cwd = tempFolder();
  const args = ['--hosts', 'nginx,apache,s3-cloudfront,cloudflare'];
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

  // Only --full repairs a damaged file, also one outside the site.
  const conf = join(cwd, 'dist-hosts/nginx/stxpress.conf');
  const inode = statSync(conf).ino;
  writeFileSync(conf, 'server {');
  await build(cwd, [...args, '--full']);
  expect(readFileSync(conf, 'utf8')).toBe(before.get('dist-hosts/nginx/stxpress.conf'));
  expect(times()).toEqual(['dist-hosts/nginx/stxpress.conf']);
  // Another inode shows that the file was replaced and not overwritten.
  expect(statSync(conf).ino).not.toBe(inode);
  expect(filesBelow(cwd).filter((path) => path.endsWith('.new'))).toEqual([]);
  expect(new Map(hostFilesOf(cwd).map((path) => [path, readFileSync(join(cwd, path), 'utf8')]))).toEqual(before);
});

test('writes files outside the site that an interrupted build did not write', async () => {
  const cwd = tempFolder();
  const args = ['--hosts', 'nginx,s3-cloudfront'];
  mkdirSync(join(cwd, 'dist-hosts'));
  writeFileSync(join(cwd, 'dist-hosts/s3-cloudfront'), 'in the way');
  expect((await build(cwd, args)).status).toBe(1);
  rmSync(join(cwd, 'dist-hosts/s3-cloudfront'));
  expect((await build(cwd, args)).stdout).toContain(': 0 files written');
  const expected = [...(FILES.nginx ?? []), ...(FILES['s3-cloudfront'] ?? [])].sort();
  expect(hostFilesOf(cwd)).toEqual(expected);
  rmSync(join(cwd, 'dist-hosts/s3-cloudfront/origin-request.mjs'));
  await build(cwd, args);
  expect(hostFilesOf(cwd)).toEqual(expected);
});

test('without --hosts, removes files of hosts in the site, and keeps files outside the site', async () => {
  const cwd = tempFolder();
  await build(cwd, ['--hosts', 'apache,vercel,netlify,nginx']);
  const outside = readTree(join(cwd, 'dist-hosts'));
  expect(await build(cwd, [])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`: 0 files written (0 B), ${PLAIN.size} unchanged, 4 removed`),
    // The build removes files that hosts may still need, so it warns.
    stderr: expect.stringMatching(/Removed \.htaccess, .*vercel\.json: .*"hosts"/),
  });
  expect(readTree(join(cwd, 'dist'))).toEqual(PLAIN);
  expect(readTree(join(cwd, 'dist-hosts'))).toEqual(outside);
  expect([...outside.keys()]).toEqual(['netlify/netlify.toml', 'nginx/stxpress.conf']);
  // A build with other hosts removes files that none of its hosts needs, and writes files for new hosts.
  await build(cwd, ['--hosts', 'apache,netlify']);
  await build(cwd, ['--hosts', 'netlify,vercel']);
  expect(hostFilesOf(cwd).filter((path) => path.startsWith('dist/'))).toEqual(
    [...(FILES.netlify ?? []), ...(FILES.vercel ?? [])].filter((path) => path.startsWith('dist/')).sort(),
  );
  expect(readTree(join(cwd, 'dist-hosts'))).toEqual(outside);
});

test('with --only tokens, has every file in its rules', async () => {
  const cwd = tempFolder();
  expect(await build(cwd, ['--only', 'tokens', '--hosts', 'nginx'])).toMatchObject({ status: 0 });
  const responses = SITE_RULES.rules.flatMap((rule) => rule.responses);
  const named = [...Object.keys(SITE_RULES.errors), ...responses.map(({ file }) => file)];
  // A build with --only omits these lists.
  const leftOut = ROUTES.filter((route) => !isIncluded(route, 'tokens')).map(indexFile);
  const fixed = [...new Set(named)].filter((file) => !file.includes('{') && !leftOut.includes(file));
  expect(fixed.length).toBeGreaterThan(20);
  for (const file of fixed) expect([file, existsSync(join(cwd, 'dist', file))]).toEqual([file, true]);
});

test('reports usage for a folder that a configuration cannot contain', async () => {
  const cwd = tempFolder();
  for (const folder of ['{folder}', '[folder]']) {
    const built = await build(cwd, ['--hosts', 'caddy', '--out', `${folder}/dist`]);
    expect([built.status, built.stderr]).toEqual([1, expect.stringContaining('caddy')]);
  }
  expect(readdirSync(cwd)).toEqual([]);
  expect((await build(cwd, ['--hosts', 'nginx', '--out', '{folder}/dist'])).status).toBe(0);
});

test('reports out-unwritable for a file at the path of the hosts folder, before writing anything', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'dist-hosts'), 'mine');
  const built = await build(cwd, ['--hosts', 'nginx']);
  expect([built.status, built.stderr]).toEqual([1, expect.stringContaining('dist-hosts')]);
  expect(readdirSync(cwd)).toEqual(['dist-hosts']);
});
