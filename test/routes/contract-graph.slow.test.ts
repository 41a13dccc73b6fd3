// Tests the time to read the call graph of many contracts with the same source.
import { expect, test } from 'vitest';
import { callGraph } from '#routes/contract-graph.ts';
import { indexText, newIndex } from '../support/archives.ts';
import { blockLine, deployJson } from '../support/transactions.ts';

test('reading contracts with one source takes as long as reading contracts with different sources', async () => {
  const count = 25_000;
  const millisecondsFor = async (sourceOf: (index: number) => string) => {
    const store = await newIndex();
    const deploys = Array.from({ length: count }, (_, index) => deployJson(`copy-${index}`, sourceOf(index)));
    await indexText(store, blockLine({ id: 1, parent: 0, height: 1, transactions: deploys }));
    let copies = 0;
    const { user } = process.threadCpuUsage();
    for await (const page of (await callGraph.changes(store, 0, { publicUrl: '' })).pages)
      for (const { stored } of page) for (const contract of stored?.contracts ?? []) copies += contract.copies.count;
    return { copies, milliseconds: (process.threadCpuUsage().user - user) / 1_000 };
  };
  const different = await millisecondsFor((index) => `(define-constant a u${10_000 + index})`);
  const same = await millisecondsFor(() => '(define-constant a u10000)');
  expect([different.copies, same.copies]).toEqual([0, count - 1]);
  // With a search for the first copy on each page, this would take three times as long.
  expect(same.milliseconds / different.milliseconds).toBeLessThan(2);
});
