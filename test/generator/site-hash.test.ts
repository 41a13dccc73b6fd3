// Tests the hash of a site, after incremental and full builds. This file computes it again from the files of the site.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { okOf, runWarm } from '../support/run-cli.ts';
import { filesBelow, isResponse, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

/** Returns the expected hash. Errors of routes are not hashed, since they are the same on every site. */
function hashOf(dist: string): string {
  let sum = 0n;
  for (const path of filesBelow(dist)) {
    if (!isResponse(path) || /^metadata\/v1\/index\.json$|^errors\/(?!422\/.*\/.*\/S)/.test(path)) continue;
    const line = sha256(`${sha256(readFileSync(join(dist, path)))}  ${path}\n`);
    sum = (sum + BigInt(`0x${line}`)) % 2n ** 256n;
  }
  return sum.toString(16).padStart(64, '0');
}

const read = (dist: string, path: string) =>
  JSON.parse(readFileSync(join(dist, path), 'utf8')) as { site_hash: string };

function expectRight(dist: string, printed: string): string {
  const hash = hashOf(dist);
  expect(read(dist, 'metadata/v1/index.json').site_hash).toBe(hash);
  expect(printed).toContain(`The hash of its responses is ${hash}.`);
  return hash;
}

test('is the hash of the responses, in incremental and full builds', async () => {
  const cwd = tempFolder();
  const run = async (...args: string[]) => okOf(await runWarm(args, { cwd }));
  const lines = readFileSync(SAMPLE_ARCHIVE, 'utf8').split(/(?<=\n)/);
  const dist = join(cwd, 'dist');
  const hashes: string[] = [];
  // In the last of the three archives, further blocks orphan a block, so files are removed.
  for (const [index, end] of [3, lines.length - 12, lines.length].entries()) {
    writeFileSync(join(cwd, `${index}.tsv`), lines.slice(0, end).join(''));
    await run('index', '--archive', `${index}.tsv`, '--offline');
    hashes.push(expectRight(dist, await run('build')));
    expect(expectRight(dist, await run('build'))).toBe(hashes.at(-1));
    expect(expectRight(dist, await run('build', '--full'))).toBe(hashes.at(-1));
    // A build with another folder and with hosts has the same hash.
    expect(
      expectRight(join(cwd, `other-${index}`), await run('build', '--out', `other-${index}`, '--hosts', 'netlify')),
    ).toBe(hashes.at(-1));
  }
  expect(new Set(hashes).size).toBe(hashes.length);
  // An option that selects other responses changes the hash, although the index is the same.
  const only = expectRight(dist, await run('build', '--only', 'ft'));
  expect(hashes).not.toContain(only);
  expect(expectRight(dist, await run('build'))).toBe(hashes.at(-1));
  // After the repair of this file, the hash must be the same as before.
  writeFileSync(join(dist, 'search/tokens/index.json'), '[]');
  expect(expectRight(dist, await run('build', '--full'))).toBe(hashes.at(-1));
});
