// The npm package as it is installed: packed, beside the packages that it depends on and no others, and run.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { expectedSample, readTree } from '../support/sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = tempFolderForFile();
const installed = join(folder, 'node_modules/stxpress');

const must = (command: string, args: readonly string[], cwd = ROOT) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
};
const stxpress = (...args: string[]) => must(process.execPath, [join(installed, 'bin/stxpress.mjs'), ...args], folder);

beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  const [{ filename }] = JSON.parse(must('npm', ['pack', '--json', '--silent', '--pack-destination', folder])) as [
    { filename: string },
  ];
  must('tar', ['-xf', join(folder, filename), '--strip-components=1', '-C', installed]);
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (dev === true || devOptional === true || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
});

test('default: it indexes, builds the same site, and names its commands as they are run', async () => {
  expect(stxpress('index', '--archive', 'node_modules/stxpress/data/sample/chain.tsv', '--no-fetch')).toContain(
    'The index is data/index.sqlite',
  );
  stxpress('build', '--host', 'nginx,cloudflare,s3-cloudfront');
  // Programs are bundled from what is installed.
  expect(readFileSync(join(folder, 'dist-hosts/cloudflare/worker.js'), 'utf8')).toContain('answerRequest(');
  expect(readFileSync(join(folder, 'dist-hosts/s3-cloudfront/viewer-request.js'), 'utf8')).toContain(
    'async function handler(',
  );
  const tree = readTree(join(folder, 'dist'));
  for (const [path, body] of expectedSample()) expect([path, tree.get(path)]).toEqual([path, body]);
  expect(tree.get('explorer/app.js')?.length).toBeGreaterThan(10_000);
  expect(stxpress('hosts')).toContain('Build with: stxpress build --host NAME');
  expect(stxpress('status')).toContain('7');
  expect(stxpress('find', 'press')).toContain('press-token');
});

test('behavior: it has what is needed, and no more', () => {
  const packed = readTree(installed);
  expect([...packed.keys()].filter((path) => !path.startsWith('lib/')).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'bin/stxpress.mjs',
    'data/sample/chain.tsv',
    'data/sample/examples.json',
    'package.json',
  ]);
  // What runs is JavaScript; the explorer is bundled when a site is built.
  expect([...packed.keys()].filter((path) => /\.tsx?$/.test(path) && !path.startsWith('lib/explorer/'))).toEqual([]);
});
