import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Compressor, MAX_COMPRESSED_BYTES } from '#serve/compressor.ts';
import { Turns } from '#serve/turns.ts';

test('remembers 16 MB of compressed bodies, and forgets unused ones', async () => {
  const compressor = new Compressor(new Turns());
  // Random bytes cannot be compressed, so 16 MB hold fifteen bodies.
  const bodies = Array.from({ length: 20 }, () => randomBytes(MAX_COMPRESSED_BYTES));
  const compress = (index: number) => compressor.compress(bodies[index] as Buffer, `${index}`, 'gzip');
  const first: (Buffer | undefined)[] = [];
  for (const index of bodies.keys()) {
    first.push(await compress(index));
    if (index >= 16) expect(await compress(4)).toBe(first[4]);
  }
  for (const index of [4, 10, 15, 19]) expect(await compress(index)).toBe(first[index]);
  for (const index of [0, 3]) expect(await compress(index)).not.toBe(first[index]);
});
