// Hostile images of pixels, and what is no image.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { BROKEN, bomb, COSTLY, flat, type HostileImage, TOO_MANY } from './hostile-image.ts';

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
const chunk = (type: string, body: Buffer) => {
  const data = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(data));
  return Buffer.concat([length, data, sum]);
};
/** A PNG that says it is so large, whatever it has. */
const pngOf = (width: number, height: number, data: Buffer, ...extra: Buffer[]) => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const end = [chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), ...extra, ...end]);
};
/** A JPEG that says it has so many rows and columns, the high byte first. */
const jpegOf = (...side: [number, number]) =>
  changed(small.jpeg, small.jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5, ...side, ...side);
const rows = (width: number, height: number) => deflateSync(Buffer.alloc((width * 3 + 1) * height));

export const HOSTILE_RASTERS: readonly HostileImage[] = [
  { name: 'PNG of 36 million pixels', bytes: bomb, outcome: TOO_MANY },
  { name: 'PNG as large as may be', bytes: await flat(2_800).png({ progressive: true }).toBuffer(), outcome: 'png' },
  { name: 'PNG that says it has 2^31 columns', bytes: pngOf(0x7fffffff, 1, rows(1, 1)), outcome: BROKEN },
  { name: 'PNG that says it has more rows than it has', bytes: pngOf(1_000, 1_000, rows(1_000, 5)), outcome: BROKEN },
  {
    name: 'PNG with 20 MB behind its rows',
    bytes: pngOf(9, 9, deflateSync(Buffer.alloc(20_000_000))),
    outcome: 'png',
  },
  { name: 'PNG without rows', bytes: pngOf(9, 9, Buffer.alloc(0)), outcome: BROKEN },
  { name: 'PNG of no size', bytes: pngOf(0, 0, rows(1, 1)), outcome: BROKEN },
  {
    name: 'PNG with a profile of 50 MB',
    bytes: pngOf(
      9,
      9,
      rows(9, 9),
      chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), deflateSync(Buffer.alloc(50_000_000))])),
    ),
    outcome: 'png',
  },
  {
    name: 'PNG with a text of 50 MB',
    bytes: pngOf(
      9,
      9,
      rows(9, 9),
      chunk('zTXt', Buffer.concat([Buffer.from('t\0\0'), deflateSync(Buffer.alloc(50_000_000, 65))])),
    ),
    outcome: COSTLY,
  },
  {
    name: 'PNG with 20,000 texts',
    bytes: pngOf(9, 9, rows(9, 9), ...Array.from({ length: 20_000 }, () => chunk('tEXt', Buffer.from('a\0b')))),
    outcome: 'png',
  },
  {
    name: 'PNG with a wrong checksum',
    bytes: changed(small.png, small.png.length - 20, 1, 2, 3),
    outcome: BROKEN,
  },
  { name: 'PNG, half of it', bytes: small.png.subarray(0, small.png.length / 2), outcome: BROKEN },
  { name: 'PNG of 16 bits', bytes: await flat(40, 40, 4).toColourspace('rgb16').png().toBuffer(), outcome: 'png' },
  {
    name: 'PNG with a page of HTML behind it',
    bytes: Buffer.concat([small.png, Buffer.from('<script>alert(1)</script>')]),
    outcome: 'png',
    type: 'text/html',
  },
  { name: 'PNG that is called a JPEG', bytes: small.png, outcome: 'png', type: 'image/jpeg' },
  { name: 'JPEG of 36 million pixels', bytes: jpegOf(0x17, 0x70), outcome: TOO_MANY },
  {
    name: 'JPEG that says it has 65,535 rows',
    bytes: jpegOf(0xff, 0xff),
    outcome: BROKEN,
  },
  { name: 'JPEG, half of it', bytes: small.jpeg.subarray(0, small.jpeg.length / 2), outcome: BROKEN },
  {
    name: 'JPEG with a turn that there is not',
    bytes: await flat(40, 20).withMetadata({ orientation: 8 }).jpeg().toBuffer(),
    outcome: 'jpg',
  },
  { name: 'JPEG in CMYK', bytes: await flat(40).toColourspace('cmyk').jpeg().toBuffer(), outcome: 'jpg' },
  {
    name: 'JPEG, progressive, of large parts',
    bytes: await flat(2_800).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    outcome: 'jpg',
  },
  {
    name: 'JPEG and ZIP in one',
    bytes: Buffer.concat([small.jpeg, Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
    outcome: 'jpg',
  },
  {
    name: 'WebP that says it is larger',
    bytes: changed(webp, 26, 0xff, 0x3f, 0xff, 0x3f),
    outcome: COSTLY,
  },
  { name: 'WebP, half of it', bytes: webp.subarray(0, webp.length / 2), outcome: BROKEN },
  {
    name: 'WebP of 2,000 frames',
    bytes: await frames.clone().webp({ effort: 0, delay: 10 }).toBuffer(),
    outcome: 'webp',
  },
  {
    name: 'GIF of 2,000 frames',
    bytes: await frames.clone().gif({ effort: 1, delay: 10, reuse: true }).toBuffer(),
    outcome: 'gif',
  },
  {
    name: 'GIF that says it has 65,535 columns and rows',
    bytes: changed(gif, 6, 0xff, 0xff, 0xff, 0xff),
    outcome: 'gif',
  },
  { name: 'GIF, half of it', bytes: gif.subarray(0, gif.length / 2), outcome: BROKEN },
  {
    name: 'AVIF as large as may be',
    bytes: await flat(2_800, 2_800, 4).avif({ effort: 0, chromaSubsampling: '4:4:4' }).toBuffer(),
    // Near what it may take: on a busy machine the threads of its decoder now and then take more.
    outcome: ['avif', COSTLY],
  },
  {
    name: 'AVIF that says it is larger',
    bytes: changed(avif, avif.indexOf('ispe') + 8, 0, 0, 0x0a, 0, 0, 0, 0x0a, 0),
    outcome: BROKEN,
  },
  {
    name: 'AVIF of 2^31 columns',
    bytes: changed(avif, avif.indexOf('ispe') + 8, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1),
    outcome: COSTLY,
  },
  { name: 'AVIF, half of it', bytes: avif.subarray(0, avif.length / 2), outcome: BROKEN },
  {
    name: 'TIFF with a directory that leads to itself',
    bytes: changed(tiff, tiff.length - 4, ...tiff.subarray(4, 8)),
    outcome: 'png',
  },
  { name: 'TIFF, half of it', bytes: tiff.subarray(0, tiff.length / 2), outcome: BROKEN },
  { name: 'BMP', bytes: Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]), outcome: BROKEN },
  { name: 'PDF', bytes: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj'), outcome: BROKEN },
  { name: 'ZIP', bytes: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(60)]), outcome: BROKEN },
  {
    name: 'a page of HTML',
    bytes: Buffer.from('<!doctype html><html><svg/></html>'),
    outcome: 'html-page',
    type: 'image/png',
  },
  { name: 'nothing', bytes: Buffer.alloc(0), outcome: BROKEN },
  { name: 'one byte', bytes: Buffer.from([0]), outcome: BROKEN },
  { name: 'a megabyte of zeros', bytes: Buffer.alloc(1_000_000), outcome: BROKEN },
  { name: 'larger than an image may be', bytes: Buffer.alloc(2_100_000, 1), outcome: 'too-large' },
];
