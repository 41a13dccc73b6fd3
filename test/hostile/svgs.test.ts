// Decodes all hostile SVGs.
import { afterAll, expect, test } from 'vitest';
import { createImageDecoder } from '#image/image-decoder.ts';
import { isFailure } from '#model/failure.ts';
import { HOSTILE_SVGS } from './hostile-svgs.ts';

/** The maximum CPU time of an SVG. Hostile SVGs exceed any limit, and all others need much less. */
const MAX_CPU_SECONDS = 2;

const decoder = createImageDecoder(8_000_000, MAX_CPU_SECONDS);
afterAll(() => decoder.close());

test.each(HOSTILE_SVGS)('limits the effect of an SVG: $name', async ({ bytes, outcome }) => {
  const image = await decoder.decode(bytes);
  expect([outcome].flat()).toContain(isFailure(image) ? image.code : image.extension);
});
