// Tests that each frequent pattern of names has separate blocks, and that these blocks have all names of the pattern.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBuild } from '#generator/run-build.ts';
import type { BlockRow, ContractBlockIndex } from '#routes/search-blocks.ts';
import { indexText, newIndex } from '../support/archives.ts';
import { buildOptions } from '../support/build-options.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, deployJson } from '../support/transactions.ts';

test('lists the names of patterns that share the text before their digits', async () => {
  const members = 1_000;
  const endings = ['', '-a', '-b', 'x'];
  const names = Array.from({ length: members }, (_, at) => endings.map((end) => `bns-${at}${end}`)).flat();
  const deployed = [...names, 'bns-5-c', 'bns-'];
  const deploys = deployed.map((name) => deployJson(name, '(define-constant a u1)'));
  const [store, out] = [await newIndex(), join(tempFolder(), 'dist')];
  await indexText(store, blockLine({ id: 1, parent: 0, height: 1, transactions: deploys }));
  await runBuild(store, buildOptions(out));
  const tree = readTree(out);
  const read = <Body>(name: string) => JSON.parse(tree.get(`search/contracts/${name}`) ?? '') as Body;
  const { families } = read<ContractBlockIndex>('index.json');
  expect(Object.keys(families)).toEqual(endings.map((end) => `bns-#${end}`));
  for (const end of endings) {
    const rows = (families[`bns-#${end}`] ?? []).flatMap(([, id]) => read<BlockRow[]>(id));
    const expected = names.filter((name) => name.replace(/^bns-\d+/, '') === end).toSorted();
    expect(rows.map(([name]) => name)).toEqual(expected);
  }
});
