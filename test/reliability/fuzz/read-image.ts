// Reads the bytes of an image like a run, and checks the resulting copy.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { createImageDecoder } from '#image/image-decoder.ts';
import { IMAGE_TYPES } from '#image/media-types.ts';
import { isFailure } from '#model/failure.ts';

/** Maximum number of pixels, which take 4 MB. */
const MAX_PIXELS = 1_000_000;
const THUMBNAIL_PX = 300;
const FAILURES = [
  ...[
    'image-undecodable',
    'image-unsupported',
    'image-blank',
    'image-too-many-pixels',
    'image-too-costly',
    'too-large',
  ],
];

const decoder = createImageDecoder(MAX_PIXELS, 1);

/** Returns true if the image is accepted. */
export async function readImage(input: Buffer): Promise<boolean> {
  const image = await decoder.decode(input);
  if (isFailure(image)) {
    assert.ok(FAILURES.includes(image.code), image.code);
    assert.ok(image.message.length > 0);
    return false;
  }
  assert.equal(image.sha256, createHash('sha256').update(input).digest('hex'));
  const copy = await sharp(image.bytes, { failOn: 'error' }).metadata();
  assert.equal(IMAGE_TYPES[image.extension]?.split('/')[1], copy.format === 'heif' ? 'avif' : copy.format);
  const { format, width, height } = await sharp(image.thumbnail).metadata();
  assert.equal(format, 'webp');
  assert.ok(width <= THUMBNAIL_PX && height <= THUMBNAIL_PX);
  return true;
}
