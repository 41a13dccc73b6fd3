// Tests that commands name the option and the obstacle if they cannot write to a folder. no-room.slow.test.ts tests
// permissions and read-only disks.
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { expectRefused, runCli, runWarm } from '../support/run-cli.ts';
import { copyIndex, filesBelow, sampleIndex } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const db = sampleIndex();
let cwd: string;
beforeEach(() => {
  cwd = tempFolder();
  copyIndex(db, join(cwd, 'i.sqlite'));
  writeFileSync(join(cwd, 'file'), '');
  symlinkSync('missing', join(cwd, 'link'));
});

const INDEX = ['index', '--offline', '--no-vm'];
const FOLLOW = ['follow', '--listen', '127.0.0.1:0'];
const IN_FILE = 'but file is not a folder. Nothing was written. Choose another path.';

test.each([
  [['build', '--out', 'file'], `--out is file, ${IN_FILE}`],
  [['build', '--out', 'file/a/b'], `--out is file/a/b, ${IN_FILE}`],
  [['build', '--out', 'link/a'], '--out is link/a, but link is a link to a missing folder.'],
  [['seed', '--out', 'file'], `--out is file, ${IN_FILE}`],
  [['seed', '--out', 'file/a'], `--out is file/a, ${IN_FILE}`],
  [[...INDEX, '--db', 'file/i.sqlite'], `--db is file/i.sqlite, ${IN_FILE}`],
  [[...FOLLOW, '--spool', 'file/a'], `--spool is file/a, ${IN_FILE}`],
  [[...FOLLOW, '--write-seed', 'file'], `--write-seed is file, ${IN_FILE}`],
  [[...FOLLOW, '--build', '--out', 'file'], `--out is file, ${IN_FILE}`],
  [[...FOLLOW, '--db', 'file/i.sqlite'], `--db is file/i.sqlite, ${IN_FILE}`],
])('%j reports what is in the way', async (args, message) => {
  const [before, flags] = [filesBelow(cwd), args.includes('--db') ? [] : ['--db', 'i.sqlite']];
  expectRefused(await runWarm([...args, ...flags], { cwd }), `stxpress: ${message}`);
  expect(filesBelow(cwd)).toEqual(before);
});

test.runIf(process.platform === 'linux').each([
  [...INDEX, '--db', '/proc/a/b/i.sqlite'],
  ['build', '--db', 'i.sqlite', '--out', '/proc/a/b'],
  ['seed', '--db', 'i.sqlite', '--out', '/proc/a/b'],
  [...FOLLOW, '--db', 'i.sqlite', '--spool', '/proc/a/b'],
])('%s ends on a file system that takes no folders', async (...args) => {
  expectRefused(await runCli(args, { cwd, killAfterMs: 60_000 }), /^stxpress: (?!this is a bug).*\/proc\/a/);
});
