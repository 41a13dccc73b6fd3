import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { ImageDecoder } from '#image/image-decoder.ts';
import { isFailure } from '#model/failure.ts';

const MAX_PIXELS = 1_000_000;
const decoder = new ImageDecoder({ maxPixels: MAX_PIXELS, maxCpuSeconds: 2 });
afterAll(() => decoder.close());
const picture = (format: 'avif' | 'gif' | 'jpeg' | 'png' | 'tiff' | 'webp', width = 600, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' } })
    .toFormat(format)
    .toBuffer();
const svg = (body: string, size = 'width="400" height="200"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`,
  );
const processed = async (bytes: Uint8Array) => {
  const image = await decoder.decode(bytes);
  if (isFailure(image)) throw new Error(image.message);
  return image;
};

describe('ImageDecoder', () => {
  test.each([
    ['png', 'png'],
    ['jpeg', 'jpg'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['avif', 'avif'],
  ] as const)('default: %s is kept as it came', async (format, extension) => {
    const bytes = await picture(format);
    const image = await processed(bytes);
    expect(image).toMatchObject({ extension, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect(Buffer.from(image.bytes).equals(bytes)).toBe(true);
    expect(await sharp(image.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 300, height: 200 });
  });

  test.each([
    ['tiff', () => picture('tiff')],
    ['svg', async () => svg('<rect width="400" height="200" fill="red"/>')],
  ] as const)('behavior: %s is kept as PNG', async (_, make) => {
    const image = await processed(await make());
    expect(image.extension).toBe('png');
    expect((await sharp(image.bytes).metadata()).format).toBe('png');
  });

  test('behavior: nothing is enlarged, and a rasterised image is at most 1,024 px', async () => {
    expect(await sharp((await processed(await picture('png', 40, 20))).thumbnail).metadata()).toMatchObject({
      width: 40,
      height: 20,
    });
    expect(await sharp((await processed(await picture('tiff', 2_000, 400))).bytes).metadata()).toMatchObject({
      width: 1_024,
    });
  });

  test('behavior: an SVG runs nothing and loads nothing', async () => {
    const plain = await processed(svg('<rect width="400" height="200" fill="white"/>'));
    const hostile = svg(`<rect width="400" height="200" fill="white"/><script>throw 1</script>
      <image xlink:href="file:///etc/hostname" width="400" height="200"/><image href="http://127.0.0.1:1/x.png" width="400" height="200"/>`);
    const image = await processed(hostile);
    const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();
    expect((await pixels(image.bytes)).equals(await pixels(plain.bytes))).toBe(true);
  });

  test('error: image-unsupported and too-large for an SVG that is packed or long', async () => {
    expect(await decoder.decode(gzipSync(svg('<g/>'.repeat(100_000))))).toMatchObject({
      code: 'image-unsupported',
    });
    expect(await decoder.decode(svg('<g/>'.repeat(300_000)))).toMatchObject({ code: 'too-large' });
  });

  test.each([
    ['many pixels', () => picture('png', 1_001, 1_000)],
    ['a huge SVG', async () => svg('', 'width="100000" height="100000"')],
  ] as const)('error: image-too-many-pixels for %s', async (_, make) => {
    expect(await decoder.decode(await make())).toMatchObject({ code: 'image-too-many-pixels' });
  });

  test.each([
    ['text', async () => Buffer.from('hello')],
    ['nothing', async () => Buffer.alloc(0)],
    ['a truncated PNG', async () => (await picture('png')).subarray(0, 60)],
    ['a truncated JPEG', async () => (await picture('jpeg')).subarray(0, 400)],
    [
      'an endless entity',
      async () => Buffer.from('<!DOCTYPE svg [<!ENTITY a "&a;">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>'),
    ],
  ] as const)('error: image-undecodable for %s', async (_, make) => {
    expect(await decoder.decode(await make())).toMatchObject({
      code: 'image-undecodable',
      retryable: true,
    });
  });
});
