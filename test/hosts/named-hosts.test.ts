// Tests `build --hosts` with several hosts, in each form in which they can be passed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostFilesInSite } from '#generator/host-files.ts';
import { findHost, findHosts, HOSTS } from '#hosts/all.ts';
import type { Host } from '#hosts/host.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ALL, FILES, hostFilesOf, sampleBuilder, sampleSite } from './built-sample.ts';

const build = sampleBuilder();

test('accepts several hosts in every notation', async () => {
  const hosts = ['nginx', 'netlify', 'github-pages'];
  const expected = hosts.flatMap((host) => FILES[host] ?? []).sort();
  const notations: [string[], Record<string, string>, unknown][] = [
    [['--hosts', 'nginx', '--hosts', 'netlify, github-pages', '--hosts', 'nginx'], {}, undefined],
    [[], { STXPRESS_HOSTS: 'netlify,nginx,github-pages' }, { hosts: 'vercel' }],
    [[], {}, { hosts }],
    [['--hosts=nginx,netlify,github-pages'], { STXPRESS_HOSTS: 'vercel' }, undefined],
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
    for (const host of hosts) expect(stdout.split('\n').filter((line) => line.startsWith(`${host}: `))).toHaveLength(1);
    expect([args, hostFilesOf(cwd).filter((path) => path !== 'stxpress.config.json')]).toEqual([args, expected]);
    expect(readTree(join(cwd, 'dist'))).toEqual(first);
  }
});

test('builds for all hosts together', async () => {
  const cwd = tempFolder();
  expect(await build(cwd, ['--hosts', ALL.join(',')])).toMatchObject({ status: 0, stderr: '' });
  expect(hostFilesOf(cwd)).toEqual([...new Set(ALL.flatMap((name) => FILES[name] ?? []))].sort());
  // Two hosts may need the same file. Both must then render the same content.
  const texts = new Map<string, string>();
  for (const host of HOSTS) {
    for (const { path, body } of hostFilesInSite([host], sampleSite()))
      expect([path, texts.get(path) ?? body]).toEqual([path, body]);
    for (const { path, body } of hostFilesInSite([host], sampleSite())) texts.set(path, body);
  }
});

test('no host reads a file of another host', () => {
  // The files in a site that each host reads, as its documentation says. A bucket does not read any.
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
  for (const name of ALL)
    for (const other of ALL) {
      // The files for `serve` are in every site.
      const expected = inSite([name, 'serve']);
      const foreign = inSite([other]).filter((path) => !expected.includes(path) && READS[name]?.includes(path));
      expect([name, other, foreign]).toEqual([name, other, []]);
    }
});

test('rejects unknown hosts', () => {
  for (const name of ['', 'NGINX', '../../etc', 'constructor', '__proto__', 'nginx '])
    expect(() => findHosts(['nginx', name])).toThrow(`--hosts is ${JSON.stringify(name)}`);
  expect(findHosts(['nginx', 'serve', 'nginx']).map((host) => host.name)).toEqual(['nginx', 'serve']);
});

test('does not use the option --host of `serve`', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'stxpress.config.json'), '{"host":"127.0.0.2"}');
  expect(await build(cwd, [])).toMatchObject({ status: 0, stderr: '' });
  expect(hostFilesOf(cwd)).toEqual(['stxpress.config.json']);
});
