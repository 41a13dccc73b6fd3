// The index on another disk than the output: a power cut may not take back of the one what the other has been built from.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  return { path: `${bin}:${process.env.PATH}`, asked: () => readFileSync(list, 'utf8').trim().split('\n') };
}

test.skipIf(!areTwo)('behavior: both are brought to the disk before a build is recorded', async () => {
  const folder = tempFolder();
  const [db, out] = [join(otherDisk, 'two-disks', 'index.sqlite'), join(folder, 'dist')];
  const { path, asked } = watchSync(folder);
  const run = (...args: string[]) => runCli([...args, '--db', db], { cwd: folder, env: { PATH: path } });
  expect((await run('index', '--archive', SAMPLE_ARCHIVE, '--offline', '--no-vm')).status).toBe(0);
  expect((await run('build', '--out', out)).status).toBe(0);
  expect(asked()).toEqual([`-f ${out}`, `-f ${join(otherDisk, 'two-disks')}`, `-f ${out}`]);
});
