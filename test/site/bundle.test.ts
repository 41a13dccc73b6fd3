// Tests the script that makes the bundles. It runs in a copy of the project.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readBundle } from '#site/bundle.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['src', 'scripts/bundle.mjs', 'package.json', 'package-lock.json'];

function copyProject() {
  const project = tempFolder();
  for (const path of COPIED) cpSync(join(ROOT, path), join(project, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  return {
    at: (path: string) => join(project, path),
    bundled: (path: string) => readFileSync(join(project, 'lib/bundles', path), 'utf8'),
    /** Runs the script. Returns true if it wrote the bundles, because they were missing or outdated. */
    make: () => {
      const inode = () => statSync(join(project, 'lib/bundles/explorer/app.js'), { throwIfNoEntry: false })?.ino;
      const before = inode();
      const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/bundle.mjs'], { cwd: project });
      expect([status, `${stdout}`, `${stderr}`]).toEqual([0, '', '']);
      return inode() !== before;
    },
  };
}

test('makes the bundles, and makes them again when a source or a version of a package has changed', () => {
  const { at, bundled, make } = copyProject();
  expect([make(), make()]).toEqual([true, false]);
  for (const path of ['explorer/app.js', 'explorer/app.css', 'docs/LICENSE.txt', 'edge/cloudflare-worker.js'])
    expect([path, bundled(path)]).toEqual([path, readBundle(path).toString()]);
  appendFileSync(at('src/explorer/main.tsx'), "console.log('changed');");
  expect([make(), make()]).toEqual([true, false]);
  expect(bundled('explorer/app.js')).toContain('console.log("changed")');
  appendFileSync(at('package-lock.json'), '\n');
  expect([make(), make()]).toEqual([true, false]);
});

test('makes the bundles again after an interruption', () => {
  const { at, bundled, make } = copyProject();
  make();
  rmSync(at('lib/bundles/sources'));
  writeFileSync(at('lib/bundles/explorer/app.css'), 'half');
  expect([make(), make()]).toEqual([true, false]);
  expect(bundled('explorer/app.css')).toBe(readBundle('explorer/app.css').toString());
});

test('makes the bundles for commands that start at the same time', async () => {
  const { at } = copyProject();
  const runs = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [at('scripts/bundle.mjs')], { stdio: 'inherit' }),
  );
  expect(await Promise.all(runs.map((run) => once(run, 'close')))).toEqual(runs.map(() => [0, null]));
  expect(readdirSync(at('lib/bundles')).toSorted()).toEqual(['docs', 'edge', 'explorer', 'sources']);
});

test('bundles each program of hosts/edge, and removes bundles without a program', () => {
  const { at, bundled, make } = copyProject();
  writeFileSync(at('src/hosts/edge/added.ts'), 'declare const RULES: object;\nexport const handler = () => RULES;\n');
  make();
  expect(bundled('edge/added.js')).toContain('() => RULES');
  rmSync(at('src/hosts/edge/added.ts'));
  make();
  expect(existsSync(at('lib/bundles/edge/added.js'))).toBe(false);
});

test('rejects an import from a folder that is not watched for changes', () => {
  const { at } = copyProject();
  writeFileSync(at('src/hosts/edge/added.ts'), "export { renderPage } from '#site/page-frame.ts';\n");
  const { status, stderr } = spawnSync(process.execPath, [at('scripts/bundle.mjs')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('Bundles import site/page-frame.ts.')]);
  expect(existsSync(at('lib/bundles/sources'))).toBe(false);
});

test('reports missing bundles', () => {
  expect(() => readBundle('explorer/none.js')).toThrow(
    /none\.js is missing\. Make it with: node scripts\/install\.mjs/,
  );
});
