// Tests builds over a site of an older version, which had other routes, entries and paths. The result must equal a
// build into an empty folder.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { buildIndex } from '../support/build-options.ts';
import { buildSample, readTree, sampleIndex, sampleTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const sample = sampleIndex();
let fresh: ReadonlyMap<string, string>;
beforeAll(async () => {
  fresh = await sampleTree();
});

/**
 * Builds the sample and marks the build as made by an older version. `change` makes the site and its record differ
 * further.
 */
async function olderSite(change: (record: Database.Database, out: string) => void): Promise<string> {
  const out = join(tempFolder(), 'dist');
  await buildSample(out);
  const record = new Database(join(out, '.stxpress/record.sqlite'));
  record.exec(`update info set value = json_set(value, '$.fingerprint', 'older') where key = 'origin'`);
  change(record, out);
  record.exec(`update info set value = (select count(*) from file) where key = 'files'`);
  record.close();
  return out;
}

/** Moves a file of the site to the path that it had in an older version. Changes the record, too. */
function move(record: Database.Database, out: string, from: string, to: string): void {
  renameSync(join(out, from), join(out, 'moved'));
  for (let folder = dirname(from); folder !== '.'; folder = dirname(folder))
    if (
      !readTree(out)
        .keys()
        .some((path) => path.startsWith(`${folder}/`))
    )
      rmSync(join(out, folder), { recursive: true });
  mkdirSync(dirname(join(out, to)), { recursive: true });
  renameSync(join(out, 'moved'), join(out, to));
  record.prepare('update file set path = ? where path = ?').run(to, from);
}

const DAYS = 'metadata/v1/days/index.json';

test.each<[string, (record: Database.Database, out: string) => void]>([
  ['renamed routes', (record) => record.exec(`update file set route = 'old-' || route`)],
  ['other keys of entries', (record) => record.exec(`update file set key = key || ' old'`)],
  [
    'documents that move to another entry',
    (record) => record.exec(`update file set key = 'old' where route = 'documents'`),
  ],
  [
    'routes that swap their files',
    (record) =>
      record.exec(`update file set route = iif(route = 'contract-info', 'contract-interface', 'contract-info')
        where route in ('contract-info', 'contract-interface')`),
  ],
  ['a file that becomes a folder', (record, out) => move(record, out, DAYS, 'metadata/v1/days')],
  [
    'a folder that becomes a file',
    (record, out) => move(record, out, 'metadata/v1/tokenlist.json', 'metadata/v1/tokenlist.json/pages/index.json'),
  ],
  [
    'routes that are gone',
    (record, out) => {
      mkdirSync(join(out, 'old/route'), { recursive: true });
      writeFileSync(join(out, 'old/route/answer'), 'old');
      record.exec(`insert into file select 'old/route/answer', 'gone', 'a', sha256, bytes from file limit 1`);
    },
  ],
])('updates a site with %s', async (_, change) => {
  const out = await olderSite(change);
  writeFileSync(join(out, 'foreign.txt'), 'mine');
  const { files } = await buildIndex(sample, out);
  expect(readFileSync(join(out, 'foreign.txt'), 'utf8')).toBe('mine');
  rmSync(join(out, 'foreign.txt'));
  expect(readTree(out)).toEqual(fresh);
  expect(files).toBe(fresh.size);
  // The record fits the files, so a build with --full has nothing to do.
  expect(await buildIndex(sample, out, { full: true })).toMatchObject({
    ...{ written: 0, removed: 0, repaired: 0, unchanged: files },
  });
});

test('continues an update that stopped between two files', async () => {
  const out = await olderSite((record, folder) => {
    record.exec(`update file set route = 'old-' || route`);
    move(record, folder, DAYS, 'metadata/v1/days');
    move(record, folder, 'metadata/v1/tokenlist.json', 'metadata/v1/tokenlist.json/pages/index.json');
    move(record, folder, 'docs/start.js', 'docs.js/start/index.js');
  });
  // A foreign link is where the new files need a folder. The plan does not look there, so moving the files fails.
  renameSync(join(out, 'search'), join(out, '..', 'search'));
  symlinkSync(join(out, '..', 'search'), join(out, 'search'));
  await expect(buildIndex(sample, out)).rejects.toMatchObject({ failure: { code: 'out-foreign' } });
  rmSync(join(out, 'search'));
  renameSync(join(out, '..', 'search'), join(out, 'search'));
  await buildIndex(sample, out);
  expect(readTree(out)).toEqual(fresh);
});

test.each([
  [
    'in a folder that becomes a file',
    'metadata/v1/tokenlist.json',
    'metadata/v1/tokenlist.json/pages/index.json',
    'metadata/v1/tokenlist.json/foreign.txt',
  ],
  ['where a folder must be', DAYS, 'metadata/v1/moved', 'metadata/v1/days'],
  ['where a file must be', DAYS, 'metadata/v1/moved', DAYS],
])('reports path-collision with a foreign file %s', async (_, from, to, foreign) => {
  const out = await olderSite((record, folder) => move(record, folder, from, to));
  mkdirSync(dirname(join(out, foreign)), { recursive: true });
  writeFileSync(join(out, foreign), 'mine');
  const before = readTree(out);
  await expect(buildIndex(sample, out)).rejects.toMatchObject({ failure: { code: 'path-collision' } });
  expect(readTree(out)).toEqual(before);
  expect(existsSync(join(out, '.stxpress/staging'))).toBe(false);
});

test('the tables of the record are the same in every version', async () => {
  const out = join(tempFolder(), 'dist');
  await buildSample(out);
  const record = new Database(join(out, '.stxpress/record.sqlite'));
  // If the tables change, the record of each existing site is rejected. The change then needs a migration.
  expect(record.pragma('user_version', { simple: true })).toBe(1961391641);
  record.close();
});

test('renders all files again after a change of any file of the program', async () => {
  const src = join(tempFolder(), 'src');
  const module = join(src, 'generator/code-fingerprint.ts');
  cpSync(new URL('../../src/generator/code-fingerprint.ts', import.meta.url), module);
  mkdirSync(join(src, 'folder.png'));
  const seen = ['a.ts', 'image/preview.png', 'fonts.conf', 'no-extension'].map((name) => {
    mkdirSync(dirname(join(src, name)), { recursive: true });
    writeFileSync(join(src, name), name);
    const print = `import { codeFingerprint } from ${JSON.stringify(module)}; process.stdout.write(codeFingerprint())`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', print], { encoding: 'utf8' });
  });
  expect(new Set(seen).size).toBe(seen.length);
});
