// Checks that each reader of texts from third parties takes time that is linear in the length of long texts.
import { test } from 'vitest';
import { expectLinear } from '../support/linear-time.ts';
import { READERS } from './linear-readers.ts';

const LENGTH = 250_000;
const GRACE_MS = 500;

const ROWS = READERS.flatMap(([readers, shapes]) =>
  Object.entries(readers).map(([name, read]) => ({ name, read, shapes })),
);

test.each(ROWS)('$name takes linear time', async ({ read, shapes }) => {
  for (const [shape, make] of Object.entries(shapes)) {
    const texts = new Map([LENGTH, 4 * LENGTH].map((length) => [length, make(length)]));
    await expectLinear((length) => read(texts.get(length) ?? ''), LENGTH, shape, GRACE_MS);
  }
});
