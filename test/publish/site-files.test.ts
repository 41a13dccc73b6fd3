// Tests which paths count as files of a site: all files of builds, except files of hosts.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOSTS } from '#hosts/all.ts';
import { isSiteFile } from '#publish/site-files.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { readTree, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('knows all paths of a build with every option, except files of hosts', async () => {
  const cwd = tempFolder();
  const archive = ['--archive', SAMPLE_ARCHIVE];
  const hosts = ['--hosts', HOSTS.map(({ name }) => name).join(',')];
  for (const args of [
    ['index', ...archive, '--offline', '--nft', 'images'],
    ['seed', ...archive],
    ['build', '--dump', '--with-seed', 'data/seed', ...hosts],
  ])
    okOf(await runWarm(args, { cwd }));
  const paths = [...readTree(join(cwd, 'dist')).keys()];
  for (const part of ['dump/', 'images/', 'seed/', 'variants/', 'errors/'])
    expect(paths.some((path) => path.startsWith(part))).toBe(true);
  expect(paths.filter((path) => !isSiteFile(path)).toSorted()).toEqual([
    ...['.assetsignore', '.htaccess', '.nojekyll', '.vercelignore', '404.html', '_headers'],
    ...['serve.json', 'vercel.json'],
  ]);
});
