// Tests the list of the first block of each day. The burn block time decides the day.
import { expect, test } from 'vitest';
import type { ChainEvent } from '#model/chain-event.ts';
import { days } from '#routes/days.ts';
import { renderedResponses } from '#routes/rendered-responses.ts';
import type { Route } from '#routes/route.ts';
import { apply, block } from '../support/chain-index.ts';
import { emptyIndex, indexOfArchive } from '../support/index-of-archive.ts';
import { Random } from '../support/random.ts';
import { rounds } from '../support/soak.ts';

const { store } = await indexOfArchive();

async function read() {
  for await (const { page } of renderedResponses(store, 'all', [days as Route], { publicUrl: '' }))
    return JSON.parse(page.body);
}

test('lists the first canonical block of each day, without days that have no block', async () => {
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

test('finds each day of a random chain with gaps, unknown times and days without blocks', async () => {
  for (const seed of rounds(20)) {
    await emptyIndex(store);
    const random = new Random(seed);
    const expected: [number, string][] = [];
    let [height, time] = [random.within(0, 50), Date.parse('2024-01-01') / 1000];
    const blocks: ChainEvent[] = [];
    for (const last = height + random.within(1, 300); height < last; height += random.chance(0.05) ? 40 : 1) {
      const parent = blocks.length === 0 || random.chance(0.9) ? `${seed} ${height - 1}` : 'unknown';
      time += random.pick([0, 600, 30_000, 600, 200_000]);
      const isKnown = random.chance(0.8);
      const day = new Date(time * 1000).toISOString().slice(0, 10);
      if (isKnown && expected.at(-1)?.[1] !== day) expected.push([height, day]);
      blocks.push(block({ id: `${seed} ${height}`, parent, height, ...(isKnown ? { burnTime: time } : {}) }));
    }
    await apply(store, blocks);
    expect(await read(), `SEED=${seed}`).toEqual({ days: expected });
  }
});

test('lists days in ascending order, although times decrease', async () => {
  const hours = [22, 23, 25, 23, 26, 24, 27, 50, 47, 51];
  const start = Date.parse('2024-01-01') / 1000;
  const at = (hour: number, index: number) =>
    block({ id: `${index}`, parent: `${index - 1}`, height: index, burnTime: start + 3600 * hour });
  await apply(store, hours.map(at));
  const found = (await read()).days as [number, string][];
  expect(found.map(([, day]) => day)).toEqual(['2024-01-01', '2024-01-02', '2024-01-03']);
  expect(found[0]).toEqual([0, '2024-01-01']);
  expect([2, 4]).toContain(found[1]?.[0]);
  expect([7, 9]).toContain(found[2]?.[0]);
});
