// The process that renders one SVG: bytes on standard input, a PNG on standard output, and what is wrong on standard error.
import { writeSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { RASTERISED_PX } from './process-image.ts';
import { TOO_MANY_PIXELS } from './rasterise-svg.ts';

const STDERR = 2;
const maxPixels = Number(process.argv[2]);

try {
  const bytes = await buffer(process.stdin);
  const open = () => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' });
  const { width, height } = await open().metadata();
  if (width * height > maxPixels) throw new Error(TOO_MANY_PIXELS);
  const png = await open()
    .resize(RASTERISED_PX, RASTERISED_PX, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer();
  for (let written = 0; written < png.length; ) written += writeSync(1, png, written);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  writeSync(STDERR, /pixel limit/i.test(message) ? TOO_MANY_PIXELS : message);
  process.exitCode = 1;
}
