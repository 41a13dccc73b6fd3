// The index is on its disk before a build of it is recorded: a power cut may not take back what the output has been
// built from.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { SAMPLE_ARCHIVE } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { memoryFolder } from '../crash/memory-folder.ts';

const otherDisk = memoryFolder();
const areTwo = process.platform === 'linux' && statSync(otherDisk).dev !== statSync(tmpdir()).dev;

/** A `sync` in front of the real one that keeps a list of what it is asked for. */
function watchSync(folder: string): { path: string; asked: () => string[] } {
  const [bin, list] = [join(folder, 'bin'), join(folder, 'synced')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'sync'), `#!/bin/sh\necho "$*" >> '${list}'\nPATH="\${PATH#*:}" exec sync "$@"\n`);
  chmodSync(join(bin, 'sync'), 0o755);
  return {
    path: `${bin}:${process.env.PATH}`,
    asked: () => (existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []),
  };
}

/** Indexes the sample; how to build it, and what is synced then. */
async function indexedIn(folder: string) {
  const cwd = tempFolder();
  const [db, out] = [join(folder, 'index.sqlite'), join(cwd, 'dist')];
  const { path, asked } = watchSync(cwd);
  const run = (...args: string[]) => runCli([...args, '--db', db], { cwd, env: { PATH: path } });
  expect((await run('index', '--archive', SAMPLE_ARCHIVE, '--offline', '--no-vm')).status).toBe(0);
  const build = async () => {
    const before = asked().length;
    expect((await run('build', '--out', out)).status).toBe(0);
    return asked().slice(before);
  };
  return { db, out, build };
}

test.skipIf(!areTwo)('behavior: on another disk than the output', async () => {
  const folder = join(otherDisk, 'index');
  const { out, build } = await indexedIn(folder);
  expect(await build()).toEqual([`-f ${out}`, `-f ${folder}`, `-f ${out}`]);
});

test('behavior: though no file of the output changes', async () => {
  const folder = tempFolder();
  const { db, out, build } = await indexedIn(folder);
  await build();
  const index = new Database(db);
  index.exec("update ledger set revision = revision + 1000 where entity = 'status'");
  index.close();
  expect(await build()).toEqual([`-f ${folder}`, `-f ${out}`]);
  expect(await build()).toEqual([]);
});
