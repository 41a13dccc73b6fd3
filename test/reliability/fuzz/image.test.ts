// Tests the decoding of images with arbitrary bytes.
import { fuzz } from './fuzz.ts';
import { readImage } from './read-image.ts';
import { mutatePng, sampleImages } from './sample-images.ts';

fuzz({
  name: 'image',
  inputs: 150,
  limitMs: 3_000,
  valid: sampleImages,
  mutate: mutatePng,
  tokens: ['<svg', 'IHDR', 'IDAT', 'acTL', 'RIFF', 'VP8X', 'ANIM', 'GIF89a', '\xff\xd8', 'Exif', 'ftypavif', 'II*\0'],
  read: readImage,
});
