// Reads an image like an index run, and checks the copy that results.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { createImageDecoder } from '#image/image-decoder.ts';
import { IMAGE_TYPES } from '#image/media-types.ts';
import { isFailure } from '#model/failure.ts';

/** The maximum number of pixels of an image, which take 4 MB when decoded. */
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

/** Reads the bytes as an image, and checks the copy. Returns true if the image is accepted. */
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
