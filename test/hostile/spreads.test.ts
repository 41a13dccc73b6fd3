// Checks that no call spreads a list whose length a third party controls. Spreading about 120,000 items throws.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cl, serializeCVBytes } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { passedContracts } from '#clarity/passed-contracts.ts';

const SRC = join(import.meta.dirname, '../../src');
/** The type byte of a list in SIP-005. */
const LIST = 0x0b;
/** A spread argument after simple arguments, if any. Excludes the rest parameter of a declaration. */
const SPREAD = /([\w.]+)\((?:[^()[\]{}]*,)?\s*\.\.\.(?!\w+:)/g;
/** The calls that may spread a list, since its length is bounded: file and function. */
const BOUNDED = [
  'cli/describe-index-run.ts lines.push',
  'compare/questions.ts kinds.push',
  // Two keys.
  'indexer/find-lookalikes.ts Math.min',
  'routes/route.ts variantFile',
  'serving/token-batch.ts readRow',
  'sqlite/open-to-read.ts statement.all',
  'sqlite/open-to-read.ts statement.run',
  'store/contracts/candidates.ts excluded',
  'store/contracts/reports.ts excluded',
  'vm/worker.ts super',
];

test('spreads no list whose length a third party controls', () => {
  const spreads = globSync('**/*.{ts,tsx,js}', { cwd: SRC }).flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(SPREAD)].map(([, callee]) => `${file} ${callee}`),
  );
  expect(spreads.sort()).toEqual(BOUNDED);
});

test('reads arguments with 200,000 items', () => {
  const contract = serializeCVBytes(Cl.contractPrincipal('SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE', 'named'));
  const header = Buffer.from([0, 0, 0, 1, LIST, ...[24, 16, 8, 0].map((shift) => (200_000 >> shift) & 0xff)]);
  const args = Buffer.concat([header, ...Array.from({ length: 200_000 }, () => contract)]);
  expect(passedContracts(args)).toEqual(['SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.named']);
});
