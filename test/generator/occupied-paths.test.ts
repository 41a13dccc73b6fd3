// Tests entries that need a path of another entry, or a folder where another entry has a file. They get the path only
// if the same build removes it from the other entry.

import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOutput } from '#generator/open-output.ts';
import { insertChanges, openTaken } from '#generator/record/changes.ts';
import { insertFiles } from '#generator/record/recorded-files.ts';
import { openStager } from '#generator/stage-changes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const BODY = 'the same';
const FILE = { hash: hash('sha256', BODY), bytes: BODY.length };

/**
 * Plans a build of the routes, in this order. Before the build, the route `old` has the file `x`. Returns the planned
 * changes.
 */
async function planOver(...routes: readonly (readonly [route: string, ...paths: string[]])[]) {
  const out = tempFolder();
  await (await openOutput(out)).close();
  writeFileSync(join(out, 'x'), BODY);
  const output = await openOutput(out);
  try {
    return await output.record.transaction().execute(async (record) => {
      await insertFiles(record, [{ path: 'x', route: 'old', key: '', ...FILE }]);
      await openTaken(record);
      await insertChanges(record, []);
      const options = { record, damaged: new Set<string>(), isEverything: true, expectedEntries: 0 };
      await using stager = openStager({ ...options, output, signal: undefined, onEntries: () => {} });
      for (const [route, ...paths] of routes)
        await stager.stage(route, [{ route, key: '', files: paths.map((path) => ({ path, body: BODY })) }]);
      await stager.removeOtherRoutes([]);
      await stager.checkOccupied();
      const changes = await record.selectFrom('change').select(['path', 'route', 'sha256']).orderBy('path').execute();
      return changes.map(({ path, route, sha256 }) => `${sha256 === null ? 'remove' : 'write'} ${path} of ${route}`);
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
  ['a folder at the path', [['new', 'x/y'], ['old']], ['remove x of old', 'write x/y of new']],
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
