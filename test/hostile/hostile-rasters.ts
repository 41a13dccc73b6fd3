// Defines hostile raster images, and files that are not images.
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { framed } from '../reliability/fuzz/sample-images.ts';
import { u32 } from '../support/transactions.ts';
import { BROKEN, bomb, COSTLY, flat, type HostileImage, images, TOO_MANY } from './hostile-image.ts';

const small = { png: await flat(40).png().toBuffer(), jpeg: await flat(40).jpeg().toBuffer() };
const webp = await flat(40).webp().toBuffer();
const gif = await flat(40).gif().toBuffer();
const avif = await flat(40).avif({ effort: 0 }).toBuffer();
const tiff = await flat(40).tiff().toBuffer();
const frames = sharp(Buffer.alloc(8 * 8 * 2_000 * 3, 7), {
  raw: { width: 8, height: 8 * 2_000, channels: 3, pageHeight: 8 },
});
const changed = (bytes: Buffer, at: number, ...values: number[]) => {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
};
const chunk = (type: string, body: Buffer) => framed(Buffer.concat([Buffer.from(type, 'latin1'), body]));
/** Makes a PNG whose header declares this width and height, regardless of its pixel data. */
const pngOf = (width: number, height: number, data: Buffer, ...extra: Buffer[]) => {
  const head = Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])]);
  const end = [chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), ...extra, ...end]);
};
/** Makes a JPEG whose header declares the same number of rows and columns, given as high and low byte. */
const jpegOf = (...side: [number, number]) =>
  changed(small.jpeg, small.jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5, ...side, ...side);
const rows = (width: number, height: number) => deflateSync(Buffer.alloc((width * 3 + 1) * height));
/** Makes a PNG with a compressed chunk that has 50 MB when decompressed. */
const pngWith = (type: string, byte: number) =>
  pngOf(
    9,
    9,
    rows(9, 9),
    chunk(type, Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(50_000_000, byte))])),
  );

export const HOSTILE_RASTERS: readonly HostileImage[] = [
  ...images(TOO_MANY, {
    'PNG of 50 million pixels': bomb,
    'JPEG of 50 million pixels': jpegOf(0x1b, 0xbc),
    'WebP that declares a larger size': changed(webp, 26, 0xff, 0x3f, 0xff, 0x3f),
  }),
  ...images('png', {
    'PNG of 8 million pixels': await flat(2_800).png({ progressive: true }).toBuffer(),
    'PNG with 20 MB after its rows': pngOf(9, 9, deflateSync(Buffer.alloc(20_000_000))),
    'PNG with a profile of 50 MB': pngWith('iCCP', 0),
    'PNG with 20,000 texts': pngOf(
      9,
      9,
      rows(9, 9),
      ...Array.from({ length: 20_000 }, () => chunk('tEXt', Buffer.from('a\0b'))),
    ),
    'PNG of 16 bits': await flat(40, 40, 4).toColourspace('rgb16').png().toBuffer(),
    'TIFF with a directory that refers to itself': changed(tiff, tiff.length - 4, ...tiff.subarray(4, 8)),
  }),
  ...images(BROKEN, {
    'PNG that declares 2^31 columns': pngOf(0x7fffffff, 1, rows(1, 1)),
    'PNG that declares too many rows': pngOf(1_000, 1_000, rows(1_000, 5)),
    'PNG without rows': pngOf(9, 9, Buffer.alloc(0)),
    'PNG of size zero': pngOf(0, 0, rows(1, 1)),
    'PNG with a wrong checksum': changed(small.png, small.png.length - 20, 1, 2, 3),
    'JPEG that declares 65,535 rows': jpegOf(0xff, 0xff),
    'half of a WebP': webp.subarray(0, webp.length / 2),
    'half of a GIF': gif.subarray(0, gif.length / 2),
    'AVIF that declares a larger size': changed(avif, avif.indexOf('ispe') + 8, 0, 0, 0x0a, 0, 0, 0, 0x0a, 0),
    'half of an AVIF': avif.subarray(0, avif.length / 2),
    'half of a TIFF': tiff.subarray(0, tiff.length / 2),
    BMP: Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]),
    PDF: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj'),
    ZIP: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]),
    'a megabyte of zeros': Buffer.alloc(1_000_000),
  }),
  ...images(COSTLY, {
    'PNG with a text of 50 MB': pngWith('zTXt', 65),
    'AVIF of 2^31 columns': changed(avif, avif.indexOf('ispe') + 8, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1),
  }),
  ...images('jpg', {
    'JPEG with an orientation': await flat(40, 20).withMetadata({ orientation: 8 }).jpeg().toBuffer(),
    'JPEG in CMYK': await flat(40).toColourspace('cmyk').jpeg().toBuffer(),
    'large progressive JPEG': await flat(2_800).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    'JPEG and ZIP in one': Buffer.concat([small.jpeg, Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
  }),
  ...images('webp', { 'WebP of 2,000 frames': await frames.clone().webp({ effort: 0, delay: 10 }).toBuffer() }),
  ...images('gif', {
    'GIF of 2,000 frames': await frames.clone().gif({ effort: 1, delay: 10, reuse: true }).toBuffer(),
    'GIF that declares 65,535 columns and rows': changed(gif, 6, 0xff, 0xff, 0xff, 0xff),
  }),
  ...images(['avif', COSTLY], {
    // The decoder's memory is close to its limit for this image. On a busy machine, its threads sometimes exceed the
    // limit.
    'AVIF of the largest allowed size': await flat(2_800, 2_800, 4)
      .avif({ effort: 0, chromaSubsampling: '4:4:4' })
      .toBuffer(),
  }),
  ...images('too-large', { 'a file larger than the limit': Buffer.alloc(2_100_000, 1) }),
  {
    name: 'PNG followed by HTML',
    bytes: Buffer.concat([small.png, Buffer.from('<script>alert(1)</script>')]),
    outcome: 'png',
    type: 'text/html',
  },
  { name: 'PNG with the type of a JPEG', bytes: small.png, outcome: 'png', type: 'image/jpeg' },
  {
    name: 'a page of HTML',
    bytes: Buffer.from('<!doctype html><html><svg/></html>'),
    outcome: 'html-page',
    type: 'image/png',
  },
];
