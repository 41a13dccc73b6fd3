// Tests entries that need a path of another entry, or a folder where another entry has a file. They get the path only
// if the same build removes it from the other entry.

import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOutput } from '#generator/open-output.ts';
import { openTaken, writeFiles } from '#generator/record/changes.ts';
import { openSiteSum } from '#generator/site-hash.ts';
import { openStager } from '#generator/stage-changes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BODY = 'the same';
const FILE = { hash: hash('sha256', BODY), bytes: BODY.length };

/**
 * Records the next site with these routes, in this order. In the last site, the route `old` has the file `x`. Returns
 * the files to write and to remove.
 */
async function planOver(...routes: readonly (readonly [route: string, ...paths: string[]])[]) {
  const out = tempFolder();
  await (await openOutput(out)).close();
  writeFileSync(join(out, 'x'), BODY);
  const output = await openOutput(out);
  try {
    return await output.record.transaction().execute(async (record) => {
      await writeFiles(record, [{ path: 'x', route: 'old', key: '', ...FILE }]);
      await openTaken(record);
      const options = { record, isEverything: true, comparesBytes: false, expectedEntries: 0, signal: undefined };
      const siteSum = await openSiteSum(record, true);
      await using stager = openStager({ ...options, siteSum, output, onEntries: () => {} });
      for (const [route, ...paths] of routes)
        await stager.stage(route, [{ route, key: '', files: paths.map((path) => ({ path, body: BODY })) }]);
      await stager.removeOtherRoutes([]);
      await stager.checkOccupied();
      const files = await record.selectFrom('file').select(['path', 'route']).orderBy('path').execute();
      const obsolete = await record.selectFrom('obsolete').select('path').execute();
      return [
        ...obsolete.map(({ path }) => `remove ${path}`),
        ...files.map(({ path, route }) => `write ${path} of ${route}`),
      ];
    });
  } finally {
    await output.close();
  }
}

test.each([
  [
    'the path, before its entry gives it up',
    [
      ['new', 'x'],
      ['old', 'y'],
    ],
    ['write x of new', 'write y of old'],
  ],
  [
    'the path, after its entry gave it up',
    [
      ['old', 'y'],
      ['new', 'x'],
    ],
    ['write x of new', 'write y of old'],
  ],
  ['the path of a removed route', [['new', 'x']], ['write x of new']],
  ['a folder at the path', [['new', 'x/y'], ['old']], ['remove x', 'write x/y of new']],
] as [string, [string, ...string[]][], string[]][])('an entry takes %s', async (_, routes, changes) => {
  expect(await planOver(...routes)).toEqual(changes);
});

test.each([
  [
    'a path that a later entry keeps',
    [
      ['new', 'x'],
      ['old', 'x'],
    ],
  ],
  [
    'a path that an earlier entry keeps',
    [
      ['old', 'x'],
      ['new', 'x'],
    ],
  ],
  [
    'a folder at a path that a later entry keeps',
    [
      ['new', 'x/y'],
      ['old', 'x'],
    ],
  ],
  [
    'a folder at a path that an earlier entry keeps',
    [
      ['old', 'x'],
      ['new', 'x/y'],
    ],
  ],
] as [string, [string, ...string[]][]][])('reports path-collision where an entry needs %s', async (_, routes) => {
  await expect(planOver(...routes)).rejects.toMatchObject({ failure: { code: 'path-collision' } });
});
