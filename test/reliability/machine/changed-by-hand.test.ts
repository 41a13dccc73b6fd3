import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { canBeBound, runCli, runWarm } from '../../support/run-cli.ts';
import { indexSample, PRESSER, readTree, SAMPLE } from '../../support/sample.ts';
import { copyOf, tempFolderForFile } from '../../support/temp-folder.ts';

const CONTRACT = `extended/v1/contract/${PRESSER}.press-token`;
const BUILD = ['build', '--db', 'index.sqlite'];

const world = tempFolderForFile();
let tree: Map<string, string>;

beforeAll(async () => {
  await indexSample(join(world, 'index.sqlite'), { vm: false });
  expect(await runWarm(BUILD, { cwd: world })).toMatchObject({ status: 0 });
  tree = readTree(join(world, 'dist'));
});

/**
 * Changes that a person may make in an output folder, each with the number of served files that a build must repair.
 */
const REPAIRED: readonly [what: string, change: (dist: string) => void, repaired: number][] = [
  ['a file is removed', (dist) => unlinkSync(join(dist, CONTRACT)), 1],
  [
    'a file becomes a symbolic link to nowhere',
    (dist) => {
      unlinkSync(join(dist, CONTRACT));
      symlinkSync('nowhere', join(dist, CONTRACT));
    },
    1,
  ],
  ['the landing page is changed', (dist) => writeFileSync(join(dist, 'index.html'), 'mine'), 1],
  ['a folder is removed', (dist) => rmSync(join(dist, 'extended'), { recursive: true }), SAMPLE.contracts],
];

/**
 * Paths that a build must not overwrite: a person put a file, a folder or a link there, which may be important or lead
 * elsewhere.
 */
const REFUSED: readonly [what: string, path: string, put: (path: string) => void][] = [
  ['a folder in place of a file', CONTRACT, (path) => mkdirSync(path)],
  ['a file in place of a folder', 'extended/v1', (path) => writeFileSync(path, 'mine')],
  ['a symbolic link to itself in place of a folder', 'extended/v1', (path) => symlinkSync('v1', path)],
];

describe('an output folder that somebody changes', () => {
  test('repairs files with --full, and does not check them without it', async () => {
    const cwd = copyOf(world);
    const dist = join(cwd, 'dist');
    for (const [what, change, repaired] of REPAIRED) {
      change(dist);
      expect(await runWarm([...BUILD, '--full'], { cwd }), what).toMatchObject({
        status: 0,
        stderr: '',
        stdout: expect.stringContaining(` ${repaired} repaired`),
      });
      expect(readTree(dist), what).toEqual(tree);
    }
    rmSync(join(dist, 'extended'), { recursive: true });
    expect(await runWarm(BUILD, { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(' 0 files written'),
    });
    expect(existsSync(join(dist, 'extended'))).toBe(false);
    expect(await runWarm([...BUILD, '--full'], { cwd })).toMatchObject({ status: 0, stderr: '' });
    expect(readTree(dist)).toEqual(tree);
  });

  test.each(REFUSED)('%s', async (_, path, put) => {
    const cwd = copyOf(world);
    const dist = join(cwd, 'dist');
    rmSync(join(dist, path), { recursive: true });
    put(join(dist, path));
    const before = readTree(dist);
    const { status, stdout, stderr } = await runWarm([...BUILD, '--full'], { cwd });
    expect({ status, stdout }, stderr).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^stxpress: (?!this is a bug)[^\n]*\n$/);
    expect(stderr).toContain(path);
    expect(readTree(dist)).toEqual(before);
    // After the user removes the path, as the message asks, the next build succeeds.
    rmSync(join(dist, path), { recursive: true });
    expect(await runWarm([...BUILD, '--full'], { cwd })).toMatchObject({ status: 0, stderr: '' });
    expect(readTree(dist)).toEqual(tree);
    expect(readdirSync(join(dist, '.stxpress'))).not.toContain('staging');
  });
});

test('reports who can repair damaged images if the index is read-only', async ({ skip }) => {
  skip(!canBeBound(), 'root ignores permissions here, and setpriv is missing');
  const cwd = copyOf(world);
  const index = new Database(join(cwd, 'index.sqlite'));
  index.exec(`insert into image (uri, sha256, extension) values ('https://a.example/a.png', 'ab', 'png');
    insert into image_file (name, bytes, sha256) values ('ab.png', 1, 'ab')`);
  index.close();
  chmodSync(join(cwd, 'index.sqlite'), 0o444);
  expect(await runCli([...BUILD, '--full'], { cwd, boundByPermissions: true })).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(
      ': 1. To have the next index run make them again, run build --full as a user who may write index.sqlite.',
    ),
  });
});
