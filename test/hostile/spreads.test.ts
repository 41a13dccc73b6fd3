// Checks that no call spreads a list whose length a third party controls. Spreading about 120,000 items throws.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cl, serializeCVBytes } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { contractIdsIn } from '#indexer/replay/contracts-in.ts';
import { nodesOf } from './syntax.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The type byte of a list in SIP-005. */
const LIST = 0x0b;
/** The calls that may spread a list, since its length is bounded: file and function. */
const BOUNDED = [
  'cli/describe-index-run.ts lines.push',
  'cli/describe-shown.ts joinParts',
  'compare/questions.ts kinds.push',
  // Two keys.
  'indexer/find-lookalikes.ts Math.min',
  'routes/route.ts variantFile',
  'serving/token-batch.ts readRow',
  'sqlite/open-to-read.ts statement.all',
  'sqlite/open-to-read.ts statement.run',
  'store/contracts/candidates.ts excluded',
  'store/contracts/reports.ts excluded',
  'store/earlier-index.ts rows',
  'store/earlier-index.ts rows',
  'store/schema/ledger.ts and',
  'vm/worker.ts super',
];

test('spreads no list whose length a third party controls', () => {
  const files = globSync('src/**/*.{ts,tsx,js}', { cwd: ROOT }).sort();
  expect(files.length).toBeGreaterThan(300);
  const spreads = files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return [...nodesOf(source, file.endsWith('x'))].flatMap(({ type, callee, arguments: passed }) => {
      const isCall = type === 'CallExpression' || type === 'NewExpression';
      if (!isCall || !(passed as { type: string }[]).some((argument) => argument.type === 'SpreadElement')) return [];
      const { start, end } = callee as { start: number; end: number };
      return [`${file.slice('src/'.length)} ${/[\w.]+$/.exec(source.slice(start, end))?.[0].replace(/^\./, '')}`];
    });
  });
  expect(spreads.sort()).toEqual(BOUNDED);
});

test('reads arguments with 200,000 items', () => {
  const contract = serializeCVBytes(Cl.contractPrincipal('SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE', 'named'));
  const header = Buffer.from([0, 0, 0, 1, LIST, ...[24, 16, 8, 0].map((shift) => (200_000 >> shift) & 0xff)]);
  const args = Buffer.concat([header, ...Array.from({ length: 200_000 }, () => contract)]);
  expect(contractIdsIn(args)).toEqual(['SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.named']);
});
