// Tests entries that need a path that another entry keeps, or a folder where another entry has a file. upgrade.test.ts
// tests entries that get the path of another one.

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

/** Records the next site with these routes, in this order. In the last site, the route `old` has the file `x`. */
async function planOver(...routes: readonly (readonly [route: string, ...paths: string[]])[]) {
  const out = tempFolder();
  await (await openOutput(out)).close();
  writeFileSync(join(out, 'x'), BODY);
  const output = await openOutput(out);
  try {
    await output.record.transaction().execute(async (record) => {
      await writeFiles(record, [{ path: 'x', route: 'old', key: '', ...FILE }]);
      await openTaken(record);
      const options = { record, isEverything: true, comparesBytes: false, expectedEntries: 0, signal: undefined };
      const siteSum = await openSiteSum(record, true);
      await using stager = openStager({ ...options, siteSum, output, onEntries: () => {} });
      for (const [route, ...paths] of routes)
        await stager.stage(route, [{ route, key: '', files: paths.map((path) => ({ path, body: BODY })) }]);
      await stager.removeOtherRoutes([]);
      await stager.checkOccupied();
    });
  } finally {
    await output.close();
  }
}

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
