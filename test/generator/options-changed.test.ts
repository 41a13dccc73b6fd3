// Tests builds after a change of options. They render only entries that depend on the changed options.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BuildOptions } from '#generator/build-options.ts';
import { findHosts } from '#hosts/all.ts';
import type { Reporter } from '#model/reporter.ts';
import { indexLines } from '../support/archives.ts';
import { buildIndex } from '../support/build-options.ts';
import { readTree } from '../support/sample.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, deployJson } from '../support/transactions.ts';

/** Builds, and returns how many entries were rendered. */
async function countRendered(db: string, out: string, over: Partial<BuildOptions> = {}): Promise<number> {
  let entries = 0;
  const progress: Reporter['progress'] = ({ done }) => {
    entries = done;
  };
  await buildIndex(db, out, { ...over, reporter: { ...silentReporter, progress } });
  return entries;
}

test('renders only entries that depend on changed hosts, dump or examples', async () => {
  const folder = tempFolder();
  const [db, out, fresh] = ['index.sqlite', 'dist', 'fresh'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const deploys = Array.from({ length: 40 }, (_, nonce) =>
    deployJson(`token-${nonce}`, `(define-constant c u${nonce})`, { nonce, clarityVersion: 2 }),
  );
  await indexLines(db, blockLine({ id: 1, parent: 0, height: 1, transactions: deploys }));
  const all = await countRendered(db, out);
  const expectFresh = async (over: Partial<BuildOptions>) => {
    await buildIndex(db, fresh, over);
    expect(readTree(out)).toEqual(readTree(fresh));
    rmSync(fresh, { recursive: true });
  };
  const netlify = { hosts: findHosts(['netlify']) };
  for (const over of [netlify, { dump: true }, { ...netlify, dump: true }, {}]) {
    expect(await countRendered(db, out, over)).toBeLessThan(all / 2);
    await expectFresh(over);
  }
  // The examples in the API description change, since this is the first contract that calls another one.
  const called = deployJson('a', '(define-public (f) (ok u1))', { clarityVersion: 2, nonce: 90 });
  const caller = deployJson('b', '(define-public (g) (contract-call? .a f))', { clarityVersion: 2, nonce: 91 });
  await indexLines(db, blockLine({ id: 2, parent: 1, height: 2, transactions: [called, caller] }));
  const before = readTree(out).get('openapi.json');
  expect(await countRendered(db, out)).toBeLessThan(all / 2);
  expect(readTree(out).get('openapi.json')).not.toBe(before);
  await expectFresh({});
});
