// The process that renders one SVG: it reads standard input, and writes a PNG, or to standard error what is wrong.
import { writeSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { openImage, rasterise } from './process-image.ts';
import { TOO_MANY_PIXELS } from './rasterise-svg.ts';

const STDERR = 2;
const maxPixels = Number(process.argv[2]);

try {
  const bytes = await buffer(process.stdin);
  const { width, height } = await openImage(bytes, maxPixels).metadata();
  if (width * height > maxPixels) throw new Error(TOO_MANY_PIXELS);
  const png = await rasterise(bytes, maxPixels);
  for (let written = 0; written < png.length; ) written += writeSync(1, png, written);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  writeSync(STDERR, /pixel limit/i.test(message) ? TOO_MANY_PIXELS : message);
  process.exitCode = 1;
}
