// Tests builds in which a sync fails because the disk lost writes. The build reports the failure, and does not record
// files that may be lost.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findHosts } from '#hosts/all.ts';
import { buildIndex } from '../../support/build-options.ts';
import { indexSample, readTree } from '../../support/sample.ts';
import { tempFolder, tempFolderForFile } from '../../support/temp-folder.ts';

const index = join(tempFolderForFile(), 'index.sqlite');
beforeAll(() => indexSample(index, { vm: false }));

/** Replaces the `sync` program by a script that fails at its n-th call. */
function failSync(at: number): void {
  const bin = tempFolder();
  const count = join(bin, 'count');
  writeFileSync(
    join(bin, 'sync'),
    `#!/bin/sh
echo >> '${count}'
[ $(wc -l < '${count}') -ne ${at} ] && exit 0
echo "sync: error syncing '$2': Input/output error" >&2
exit 1
`,
  );
  chmodSync(join(bin, 'sync'), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${bin}:${before}`;
  onTestFinished(() => {
    process.env.PATH = before;
  });
}

const FAILED = (path: string) => ({
  failure: {
    code: 'disk-full',
    message: expect.stringMatching(new RegExp(`^The disk of ${path} is full or failing.*Input/output error`)),
  },
});

const build = (out: string) => buildIndex(index, out, { hosts: findHosts(['nginx']) });

test.each([
  ['before the plan is recorded', 1, '', false],
  ['after all files were moved', 2, '', true],
  ['after the files of hosts', 3, '-hosts', true],
])('reports disk-full if the sync fails %s', async (_, at, suffix, isMoved) => {
  const folder = tempFolder();
  const [out, fresh] = [join(folder, 'dist'), join(folder, 'fresh')];
  await build(fresh);
  failSync(at);
  await expect(build(out)).rejects.toMatchObject(FAILED(out + suffix));
  // The build removes an output folder that it made, if no file is in it yet.
  expect(existsSync(out) ? readTree(out) : undefined).toEqual(isMoved ? readTree(fresh) : undefined);
  await build(out);
  expect(readTree(out)).toEqual(readTree(fresh));
  expect([...readTree(`${out}-hosts`).keys()]).toEqual([...readTree(`${fresh}-hosts`).keys()]);
});
