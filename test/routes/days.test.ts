// Tests the list of the first block of each day. The burn block time decides the day.
import { expect, test } from 'vitest';
import { days } from '#routes/days.ts';
import { renderedResponses } from '#routes/rendered-responses.ts';
import type { Route } from '#routes/route.ts';
import { apply, block } from '../support/chain-index.ts';
import { indexOfArchive } from '../support/index-of-archive.ts';

const { store } = await indexOfArchive();

test('lists the first canonical block of each day, without days that have no block', async () => {
  const read = async () => {
    for await (const { page } of renderedResponses(store, 'all', [days as Route], { publicUrl: '' }))
      return JSON.parse(page.body);
  };
  const add = (id: string, parent: string, height: number, iso?: string) =>
    apply(store, [block({ id, parent, height, ...(iso === undefined ? {} : { burnTime: Date.parse(iso) / 1000 }) })]);
  expect(await read()).toEqual({ days: [] });
  await add('1', '0', 1, '2024-02-28T10:00:00Z');
  await add('2', '1', 2, '2024-02-28T23:59:59Z');
  await add('3', '2', 3, '2024-03-02T00:00:00Z');
  await add('4', '3', 4);
  await add('5', '4', 5, '2024-03-03T12:00:00Z');
  const known = [
    [1, '2024-02-28'],
    [3, '2024-03-02'],
  ];
  expect(await read()).toEqual({ days: [...known, [5, '2024-03-03']] });
  await add('4b', '3', 4, '2024-03-02T00:10:00Z');
  await add('5b', '4b', 5, '2024-03-02T00:20:00Z');
  await add('6b', '5b', 6, '2024-03-04T00:20:00Z');
  expect(await read()).toEqual({ days: [...known, [6, '2024-03-04']] });
});
