import { expect, test } from 'vitest';
import { heightsOf, readToEnd, writeArchive } from '../../support/archives.ts';
import { blockLine, deployJson } from '../../support/transactions.ts';

/** The number of lines. Each has 100 KB, so that the reader makes dozens of blocks, which two threads parse. */
const LINES = 100;
const lines = Array.from({ length: LINES }, (_, height) =>
  blockLine({
    id: height,
    parent: height - 1,
    height,
    transactions: [deployJson('a', `;; ${height} ${'x'.repeat(50_000)}`)],
  }),
);
const heights = Array.from(lines.keys());

test('yields deploys with their sources in the order of the archive', async () => {
  const { events, position } = await readToEnd(writeArchive(lines.join('')));
  expect(heightsOf(events)).toEqual(heights);
  expect(new Set(events.flatMap(({ deploys }) => deploys.map(({ txId }) => txId))).size).toBe(LINES);
  expect(position).toMatchObject({ nextLine: LINES + 1, nextOffset: lines.join('').length });
});

test('stops after the line before an invalid one, and continues there', async () => {
  for (const at of [1, 50, LINES - 1]) {
    const text = lines.with(at, 'broken\n').join('');
    const first = await readToEnd(writeArchive(text));
    expect(first.error?.failure).toMatchObject({ code: 'archive-line-broken' });
    expect(first.error?.message).toContain(`line ${at + 1} `);
    expect(heightsOf(first.events)).toEqual(heights.slice(0, at));
    const rest = await readToEnd(writeArchive(text), { known: [first.position], skipBroken: true });
    expect(rest.resumedAtLine).toBe(at + 1);
    expect(rest.broken).toHaveLength(1);
    expect(heightsOf(rest.events)).toEqual(heights.slice(at + 1));
  }
});
