// Lists are not spread into calls: third parties decide their length, and from about 120,000 items on this throws.
import { globSync, readFileSync } from 'node:fs';
import { Cl, serializeCVBytes } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { contractIdsIn } from '#indexer/replay/contracts-in.ts';

const FOLDERS = ['indexer', 'store', 'source', 'standards', 'model', 'vm', 'sqlite'];
/** Type of SIP-005. */
const LIST = 0x0b;
const SPREAD = /\.(?:push|unshift|max|min|fromCharCode)\((?:[^(){}]*,)?\s*\.\.\.[^;]*/g;

test('behavior: no source file spreads a list into push, unshift, max, min or fromCharCode', () => {
  const files = globSync(`src/{${FOLDERS.join(',')}}/**/*.ts`);
  expect(files.length).toBeGreaterThan(100);
  const spreads = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(SPREAD)].map(([text]) => `${file}: ${text}`),
  );
  expect(spreads).toEqual([]);
});

test('behavior: reads arguments with 200,000 items', () => {
  const contract = serializeCVBytes(Cl.contractPrincipal('SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE', 'named'));
  const header = Buffer.from([0, 0, 0, 1, LIST, ...[24, 16, 8, 0].map((shift) => (200_000 >> shift) & 0xff)]);
  const args = Buffer.concat([header, ...Array.from({ length: 200_000 }, () => contract)]);
  expect(contractIdsIn(args)).toEqual(['SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.named']);
});
