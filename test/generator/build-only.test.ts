// Tests builds with --only. The explorer finds all files that it needs, and a later build without --only adds the rest.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexLines } from '../support/archives.ts';
import { buildIndex } from '../support/build-options.ts';
import { COLLECTION_INTERFACE, EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { blockLine, deployJson, type Json } from '../support/observer-lines.ts';
import { buildSample, filesBelow, readTree, sampleIndex } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const sample = sampleIndex();

test.each([
  ['tokens', ['ft', 'nft', 'sft']],
  ['ft', ['ft']],
  ['nft', ['nft']],
  ['sft', ['sft']],
] as const)(
  'behavior: with --only %s, has the data for the explorer, and a full build restores the rest',
  async (only, kinds) => {
    const out = tempFolder();
    await buildSample(out);
    const tree = readTree(out);
    const summary = await buildIndex(sample, out, { only });
    const selected = readTree(out);
    expect(summary.removed).toBe([...tree.keys()].filter((path) => !selected.has(path)).length);
    const read = (path: string) => JSON.parse(selected.get(path) ?? `"no ${path}"`);

    const rows = read('search/tokens/index.json') as [string, string][];
    expect([...new Set(rows.map(([kind]) => kind))].sort()).toEqual(kinds);
    for (const [kind, id] of rows) {
      const tokenPath = `metadata/v1/${kind}/${id}`;
      for (const path of [
        kind === 'ft' ? tokenPath : `${tokenPath}/index.json`,
        `metadata/v1/status/${id}`,
        `extended/v1/contract/${id}`,
      ])
        expect([path, selected.has(path)]).toEqual([path, true]);
    }
    const { newest_contracts: newest } = read('metadata/v1/index.json') as {
      newest_contracts: { contract_id: string }[];
    };
    const { addresses } = read('search/contracts/index.json') as { addresses: [string, string][] };
    const found = addresses
      .flatMap(([, block]) => read(`search/contracts/${block}`) as [string, ...string[]][])
      .flatMap(([address, ...names]) => names.map((name) => `${address}.${name}`));
    const contracts = [...selected.keys()].flatMap((path) => /^extended\/v1\/contract\/(.+)$/.exec(path)?.[1] ?? []);
    expect(newest.length).toBeGreaterThan(0);
    for (const { contract_id } of newest) expect(contracts).toContain(contract_id);
    expect(found.sort()).toEqual(contracts.sort());
    // Contracts of other kinds have no files, not even a status.
    const statuses = [...selected.keys()].flatMap((path) => /^metadata\/v1\/status\/(.+)$/.exec(path)?.[1] ?? []);
    expect(statuses.sort()).toEqual(contracts);
    expect([...selected.keys()].filter((path) => path.startsWith('v2/'))).toEqual([]);

    await buildIndex(sample, out);
    expect(readTree(out)).toEqual(tree);
  },
);

test('behavior: with --only ft, updates the site of a growing chain', async () => {
  const folder = tempFolder();
  const [db, out, fresh] = [join(folder, 'index.sqlite'), join(folder, 'dist'), join(folder, 'fresh')];
  const deploy = (name: string, nonce: number, of: Json) =>
    deployJson(name, `(define-constant c u${nonce})`, { nonce, clarityVersion: 2, interface: of });
  const first = [deploy('token', 0, TOKEN_INTERFACE), deploy('plain', 1, EMPTY_INTERFACE)];
  await indexLines(db, blockLine({ id: 1, parent: 0, height: 1, transactions: first }));
  await buildIndex(db, out, { only: 'ft' });
  const more = [deploy('more', 2, TOKEN_INTERFACE), deploy('thing', 3, COLLECTION_INTERFACE)];
  await indexLines(db, blockLine({ id: 2, parent: 1, height: 2, transactions: more }));
  await buildIndex(db, out, { only: 'ft' });
  await buildIndex(db, fresh, { only: 'ft' });
  expect(readTree(out)).toEqual(readTree(fresh));
  const contracts = filesBelow(join(out, 'extended')).map((path) => path.split('.').at(-1));
  expect(contracts.sort()).toEqual(['more', 'token']);
});
