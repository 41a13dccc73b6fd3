import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { followLink } from '#cli/follow-link.ts';
import { imageFile, thumbnailFile } from '#layout/image-files.ts';
import { runWarm } from '../support/run-cli.ts';
import { readTree, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const RUN = ['index', '--db', 'data/link.sqlite', '--archive', SAMPLE_ARCHIVE, '--offline', '--no-vm'];

test('places the files of an index next to the target of a link', async () => {
  const cwd = tempFolder();
  const disk = join(cwd, 'disk');
  const [link, real] = [join(cwd, 'data/link.sqlite'), join(disk, 'real.sqlite')];
  for (const folder of ['data', 'disk']) mkdirSync(join(cwd, folder));
  symlinkSync(real, link);
  expect(await runWarm(RUN, { cwd })).toMatchObject({ status: 0 });
  expect(readdirSync(join(cwd, 'data'))).toEqual(['link.sqlite']);
  expect(readdirSync(disk)).toEqual(['real.sqlite', 'real.sqlite.lock', 'real.sqlite.lock.holder']);

  const sha256 = 'ab'.repeat(32);
  mkdirSync(join(disk, 'images'));
  for (const name of [imageFile(sha256, 'png'), thumbnailFile(sha256)]) writeFileSync(join(disk, 'images', name), name);
  const sqlite = new Database(real);
  sqlite.prepare("insert into image (uri, sha256, extension) values ('data:,', ?, 'png')").run(sha256);
  const document = JSON.stringify({ sip: 16, name: 'A token', image: 'data:,' });
  sqlite
    .prepare(`insert into document (token_id, locale, document) select min(token_id), '', ? from served_token`)
    .run(document);
  sqlite.close();
  expect(await runWarm(['build', '--db', 'data/link.sqlite', '--public-url', 'https://x.test'], { cwd })).toMatchObject(
    { status: 0, stderr: '' },
  );
  expect(readTree(join(cwd, 'dist')).get(`images/${imageFile(sha256, 'png')}`)).toBe(imageFile(sha256, 'png'));

  expect(await runWarm([...RUN, '--rebuild'], { cwd })).toMatchObject({ status: 0 });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readdirSync(disk)).toContain('real.sqlite.kept-1');
  expect(existsSync(real)).toBe(true);
});

test('resolves links to links and to missing files, and leaves circles unresolved', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  symlinkSync('b', at('a'));
  symlinkSync(at('c'), at('b'));
  expect(followLink(at('a'))).toBe(at('c'));
  symlinkSync('a', at('c'));
  expect(followLink(at('a'))).toBe(at('a'));
  expect(followLink(at('none'))).toBe(at('none'));
  expect(followLink('relative/none')).toBe('relative/none');
  // A relative target is below the real folder of the link.
  mkdirSync(at('real/inner'), { recursive: true });
  symlinkSync(at('real/inner'), at('folder'));
  symlinkSync('../missing', at('real/inner/link'));
  expect(followLink(at('folder/link'))).toBe(at('real/missing'));
});
