// Tests that each frequent pattern of names has separate blocks, and that these blocks have all names of the pattern.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBuild } from '#generator/run-build.ts';
import type { BlockRow, ContractBlockIndex } from '#routes/search-blocks.ts';
import { unsignedDeploy } from '../../scripts/unsigned-deploy.ts';
import { indexText, newIndex } from '../support/archives.ts';
import { buildOptions } from '../support/build-options.ts';
import { addressOf, blockLine, TEST_KEY } from '../support/observer-lines.ts';
import { readTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('lists the names of patterns that share the text before their digits', async () => {
  const members = 1_000;
  const endings = ['', '-a', '-b', 'x'];
  const names = Array.from({ length: members }, (_, at) => endings.map((end) => `bns-${at}${end}`)).flat();
  const ids = [...names, 'bns-5-c', 'bns-'].map((name) => `${addressOf(TEST_KEY)}.${name}`);
  const deploys = ids.map((id, at) => unsignedDeploy(id, '(define-constant a u1)', at, null));
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
