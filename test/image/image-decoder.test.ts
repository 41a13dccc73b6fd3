import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { startDecodeProcess } from '#image/decode-process.ts';
import { createImageDecoder } from '#image/image-decoder.ts';
import { isFailure } from '#model/failure.ts';
import { tempFolder } from '../support/temp-folder.ts';

const MAX_PIXELS = 1_000_000;
const decoder = createImageDecoder(MAX_PIXELS, 2);
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

test.each([
  ['png', 'png'],
  ['jpeg', 'jpg'],
  ['webp', 'webp'],
  ['gif', 'gif'],
  ['avif', 'avif'],
] as const)('%s is kept as it came', async (format, extension) => {
  const bytes = await picture(format);
  const image = await processed(bytes);
  expect(image).toMatchObject({ extension, sha256: createHash('sha256').update(bytes).digest('hex') });
  expect(Buffer.from(image.bytes).equals(bytes)).toBe(true);
  expect(await sharp(image.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 300, height: 200 });
});

test.each([
  ['tiff', () => picture('tiff')],
  ['svg', async () => svg('<rect width="400" height="200" fill="red"/>')],
] as const)('stores %s as PNG', async (_, make) => {
  const image = await processed(await make());
  expect(image.extension).toBe('png');
  expect((await sharp(image.bytes).metadata()).format).toBe('png');
});

test('does not enlarge images, and rasterizes to at most 1,024 px', async () => {
  const { thumbnail } = await processed(await picture('png', 40, 20));
  expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 40, height: 20 });
  const { bytes } = await processed(await picture('tiff', 2_000, 400));
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 1_024 });
});

test('makes a visible thumbnail of an animation whose first frame is transparent', async () => {
  const frame = (alpha: number) =>
    sharp({ create: { width: 40, height: 20, channels: 4, background: { r: 200, g: 0, b: 0, alpha } } })
      .png()
      .toBuffer();
  const frames = await Promise.all([0, 1, 1].map(frame));
  for (const format of ['gif', 'webp'] as const) {
    const bytes = await sharp(frames, { join: { animated: true } })
      .toFormat(format)
      .toBuffer();
    expect((await sharp(bytes).metadata()).pages).toBeGreaterThan(1);
    const { thumbnail } = await processed(bytes);
    expect((await sharp(thumbnail).stats()).isOpaque).toBe(true);
    expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 40, height: 20 });
  }
});

test('draws text without a cache of fonts', async () => {
  const folder = tempFolder();
  const config = join(folder, 'fonts.conf');
  writeFileSync(config, `<fontconfig><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`);
  vi.stubEnv('FONTCONFIG_FILE', config);
  vi.stubEnv('HOME', folder);
  vi.stubEnv('XDG_CACHE_HOME', undefined);
  const fontDecoder = createImageDecoder(MAX_PIXELS);
  try {
    expect(isFailure(await fontDecoder.decode(svg('<text x="9" y="99" font-size="99">Text</text>')))).toBe(false);
    expect(readdirSync(folder)).toEqual(['fonts.conf']);
  } finally {
    fontDecoder.close();
    vi.unstubAllEnvs();
  }
});

const slow = svg(
  `<filter id="f" x="0" y="0" width="1"
      height="1">${'<feTurbulence baseFrequency="0.01" numOctaves="50"/>'.repeat(40)}
      </filter><rect width="900" height="900" filter="url(#f)"/>`,
  'width="900" height="900"',
);

test('reports image-too-costly for a slow or large SVG, without an effect on the next image', async () => {
  const strict = createImageDecoder(MAX_PIXELS, 0.5);
  // A small file that has 147 MB of pixels when decoded.
  const bomb = await sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#000' } })
    .png({ palette: true, colours: 2 })
    .toBuffer();
  const embedded = svg(`<image width="9" height="9" href="data:image/png;base64,${bomb.toString('base64')}"/>`);
  const images = await Promise.all([slow, embedded, await picture('png')].map((bytes) => strict.decode(bytes)));
  const costly = { code: 'image-too-costly', retryable: false };
  expect(images).toMatchObject([costly, costly, { extension: 'png' }]);
  expect(images[0]).toHaveProperty('message', 'The image takes more than 0.5 s of processor time to decode.');
  expect(await strict.decode(await picture('webp'))).toMatchObject({ extension: 'webp' });
  strict.close();
  expect(await strict.decode(await picture('webp'))).toHaveProperty('retryable', true);
});

test.skipIf(process.platform !== 'linux')('limits memory by the system', async () => {
  // Decoding an interlaced image keeps all its rows in memory, here 75 MB.
  const bytes = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#000' } })
    .png({ progressive: true })
    .toBuffer();
  const [tight, ample] = [startDecodeProcess(140_000_000), startDecodeProcess(400_000_000)];
  for (const decoding of [tight, ample]) {
    const reply = await decoding.request({ bytes, maxPixels: 50_000_000, maxCpuSeconds: 60 });
    const result = 'message' in reply ? reply.message : 'detail' in reply ? reply.detail : 'image';
    expect(result).toMatch(decoding === tight ? /memory/i : /^image$/);
    decoding.end();
  }
});

test('returns a retryable failure if the decoder is busy or dead', async () => {
  const order = { bytes: slow, maxPixels: MAX_PIXELS, maxCpuSeconds: 60 };
  const busy = startDecodeProcess(1e9, 1);
  expect(await busy.request(order)).toMatchObject({ code: 'image-timeout', retryable: true });
  const gone = startDecodeProcess(1e9);
  gone.end();
  expect(await gone.request(order)).toMatchObject({ code: 'image-too-costly', retryable: true });
});

test('reports image-unsupported and too-large for a compressed or a large SVG', async () => {
  expect(await decoder.decode(gzipSync(svg('<g/>'.repeat(100_000))))).toMatchObject({ code: 'image-unsupported' });
  expect(await decoder.decode(svg('<g/>'.repeat(300_000)))).toMatchObject({ code: 'too-large' });
});

test.each([
  ['many pixels', () => picture('png', 1_001, 1_000)],
  ['a huge SVG', async () => svg('', 'width="100000" height="100000"')],
] as const)('reports image-too-many-pixels for %s', async (_, make) => {
  expect(await decoder.decode(await make())).toMatchObject({ code: 'image-too-many-pixels' });
});

test.each([
  ['text', async () => Buffer.from('hello')],
  ['an empty file', async () => Buffer.alloc(0)],
  ['a truncated PNG', async () => (await picture('png')).subarray(0, 60)],
  ['a truncated JPEG', async () => (await picture('jpeg')).subarray(0, 400)],
  ['an endless entity', async () => Buffer.from(`<!DOCTYPE svg [<!ENTITY a "&a;">]>${svg('&a;')}`)],
] as const)('reports image-undecodable for %s', async (_, make) => {
  expect(await decoder.decode(await make())).toMatchObject({ code: 'image-undecodable', retryable: true });
});
