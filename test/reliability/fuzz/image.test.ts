// Tests the decoding of images with arbitrary bytes.
import fc from 'fast-check';
import { Random } from '../../support/random.ts';
import { fuzz } from './fuzz.ts';
import { readImage } from './read-image.ts';
import { pngEdit, sampleImages } from './sample-images.ts';

fuzz({
  name: 'image',
  inputs: 150,
  limitMs: 3_000,
  valid: fc.constantFrom(...(await sampleImages(new Random(1)))),
  edit: pngEdit,
  tokens: ['<svg', 'IHDR', 'IDAT', 'acTL', 'RIFF', 'VP8X', 'ANIM', 'GIF89a', '\xff\xd8', 'Exif', 'ftypavif', 'II*\0'],
  read: readImage,
});
