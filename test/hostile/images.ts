// Hostile images, each with what a run makes of it: the extension of the copy, or the code of the failure. What takes
// too much processor time is with the tests of the decoder, which can be given less of it.
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { FailureCode } from '#model/failure.ts';

type Outcome = 'png' | 'jpg' | 'webp' | 'gif' | 'avif' | FailureCode;

export interface HostileImage {
  readonly name: string;
  readonly bytes: Buffer;
  readonly outcome: Outcome | readonly Outcome[];
  /** What the server says that it is. */
  readonly type?: string;
}

const BROKEN: FailureCode = 'image-undecodable';
const COSTLY: FailureCode = 'image-too-costly';
const TOO_MANY: FailureCode = 'image-too-many-pixels';
const UNSUPPORTED: FailureCode = 'image-unsupported';

const flat = (width: number, height = width, channels: 3 | 4 = 3): Sharp =>
  sharp({
    limitInputPixels: false,
    create: { width, height, channels, background: { r: 9, g: 99, b: 9, alpha: 0.5 } },
  });
const small = { png: await flat(40).png().toBuffer(), jpeg: await flat(40).jpeg().toBuffer() };
const webp = await flat(40).webp().toBuffer();
const gif = await flat(40).gif().toBuffer();
const avif = await flat(40).avif({ effort: 0 }).toBuffer();
const tiff = await flat(40).tiff().toBuffer();
/** 36 million pixels in a few kilobytes. */
const bomb = await flat(6_000).png({ palette: true, colours: 2 }).toBuffer();
const frames = sharp(Buffer.alloc(8 * 8 * 2_000 * 3, 7), {
  raw: { width: 8, height: 8 * 2_000, channels: 3, pageHeight: 8 },
});

const svg = (body: string, size = 'width="100" height="100"', head = '') =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`,
  );
const dataUri = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`;
const svgUri = (bytes: Buffer) => dataUri(bytes, 'image/svg+xml');
/** A pattern that is filled with another one. */
const patternOf = (id: number, by: number) =>
  `<pattern id="p${id}" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="99" height="99" fill="url(#p${by})"/></pattern>`;
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
/** Ten levels of `use`, each of ten. */
const nestedUse = (levels: number) =>
  Array.from(
    { length: levels },
    (_, level) => `<g id="l${level + 1}">${`<use href="#l${level}"/>`.repeat(10)}</g>`,
  ).join('');
const nestedEntities = Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
).join('');

const HOSTILE_SVGS: readonly HostileImage[] = [
  {
    name: 'use in use, a billion times',
    bytes: svg(`<rect id="l0" width="1" height="1"/>${nestedUse(9)}<use href="#l9"/>`),
    outcome: BROKEN,
  },
  { name: 'use of itself', bytes: svg('<g id="a"><use href="#a"/></g>'), outcome: 'png' },
  {
    name: 'blur of a million pixels',
    bytes: svg(
      '<filter id="f"><feGaussianBlur stdDeviation="1000000"/></filter><rect width="99" height="99" filter="url(#f)"/>',
    ),
    outcome: 'png',
  },
  {
    name: 'convolution with a huge kernel',
    bytes: svg(
      `<filter id="f"><feConvolveMatrix order="1000000" kernelMatrix="1"/></filter>
      <rect width="99" height="99" filter="url(#f)"/>`,
    ),
    outcome: 'png',
  },
  { name: '900 KB of one text', bytes: svg(`<text y="20">${'W'.repeat(900_000)}</text>`), outcome: [COSTLY, BROKEN] },
  { name: 'a letter of a million px', bytes: svg('<text y="20" font-size="1000000">W</text>'), outcome: 'png' },
  {
    name: 'a PNG of 36 million pixels inside',
    bytes: svg(`<image width="9" height="9" href="${dataUri(bomb, 'image/png')}"/>`),
    outcome: COSTLY,
  },
  {
    name: 'ten PNGs of 36 million pixels inside',
    bytes: svg(`<image width="9" height="9" href="${dataUri(bomb, 'image/png')}"/>`.repeat(10)),
    outcome: COSTLY,
  },
  {
    name: 'an SVG in an SVG in an SVG',
    bytes: svg(`<image width="9" height="9" href="${svgUri(svg(`<image href="${svgUri(svg('<rect/>'))}"/>`))}"/>`),
    outcome: 'png',
  },
  {
    name: 'patterns in patterns',
    bytes: svg(
      `${Array.from({ length: 12 }, (_, n) => patternOf(n + 1, n)).join('')}<rect width="99" height="99" fill="url(#p12)"/>`,
    ),
    outcome: 'png',
  },
  {
    name: 'a pattern of itself',
    bytes: svg(
      `<pattern id="p" width="1" height="1"><rect width="9" height="9" fill="url(#p)"/></pattern>
      <rect width="99" height="99" fill="url(#p)"/>`,
    ),
    outcome: 'png',
  },
  {
    name: 'a mask of itself',
    bytes: svg(
      '<mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask><rect width="99" height="99" mask="url(#m)"/>',
    ),
    outcome: 'png',
  },
  {
    name: 'a billion laughs',
    bytes: svg('<text>&e9;</text>', 'width="9" height="9"', `<!DOCTYPE svg [<!ENTITY e0 "ha">${nestedEntities}]>`),
    outcome: BROKEN,
  },
  {
    name: 'an entity of itself',
    bytes: svg('&a;', 'width="9" height="9"', '<!DOCTYPE svg [<!ENTITY a "&a;">]>'),
    outcome: BROKEN,
  },
  {
    name: 'an entity from a file',
    bytes: svg('<text>&a;</text>', 'width="9" height="9"', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
    outcome: BROKEN,
  },
  {
    name: 'a DTD from the network',
    bytes: svg('', 'width="9" height="9"', '<!DOCTYPE svg SYSTEM "http://127.0.0.1:1/a.dtd">'),
    outcome: 'png',
  },
  {
    name: 'XInclude of a file',
    bytes: svg('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>'),
    outcome: 'png',
  },
  {
    name: 'images from files and the network',
    bytes: svg(
      '<image href="file:///etc/passwd" width="9" height="9"/><image href="http://127.0.0.1:1/" width="9" height="9"/>',
    ),
    outcome: 'png',
  },
  {
    name: 'styles from the network',
    bytes: svg(
      '<style>@import url(http://127.0.0.1:1/);@font-face{font-family:x;src:url(file:///etc/passwd)}</style><rect/>',
      'width="9" height="9"',
      '<?xml-stylesheet href="http://127.0.0.1:1/a.css"?>',
    ),
    outcome: 'png',
  },
  {
    name: 'a script, and HTML inside',
    bytes: svg(
      `<script>while(1);</script><foreignObject width="9" height="9">
      <body xmlns="http://www.w3.org/1999/xhtml"><iframe src="http://127.0.0.1:1/"/></body></foreignObject>`,
    ),
    outcome: 'png',
  },
  { name: 'elements 100,000 deep', bytes: svg('<g>'.repeat(100_000) + '</g>'.repeat(100_000)), outcome: BROKEN },
  { name: '20,000 elements', bytes: svg('<g/>'.repeat(20_000)), outcome: 'png' },
  { name: '240,000 elements', bytes: svg('<g/>'.repeat(240_000)), outcome: COSTLY },
  { name: 'longer than an SVG may be', bytes: svg('<g/>'.repeat(300_000)), outcome: 'too-large' },
  { name: 'a size of a thousand million', bytes: svg('', 'width="1e9" height="1e9"'), outcome: 'png' },
  { name: 'a size of 100,000', bytes: svg('', 'width="100000" height="100000"'), outcome: TOO_MANY },
  { name: 'a size of nothing', bytes: svg('', 'width="0" height="0"'), outcome: BROKEN },
  {
    name: 'a size that is no number',
    bytes: svg('<rect width="9" height="9"/>', 'width="NaN" height="1e999"'),
    outcome: 'png',
  },
  {
    name: 'a view of a thousand million',
    bytes: svg('<rect width="1e9" height="1e9"/>', 'viewBox="0 0 1e9 1e9" width="9" height="9"'),
    outcome: 'png',
  },
  {
    name: 'a stroke of a million dashes',
    bytes: svg('<path d="M0 0H1000000" stroke="#000" stroke-dasharray="0.001"/>'),
    outcome: 'png',
  },
  {
    name: 'a path of 20,000 points',
    bytes: svg(`<path stroke="#000" d="M0 0${'L99 9L9 99'.repeat(10_000)}"/>`),
    outcome: 'png',
  },
  { name: 'gzipped', bytes: gzipSync(svg('<rect/>')), outcome: UNSUPPORTED, type: 'image/svg+xml' },
  {
    name: 'gzipped, 50 MB of it',
    bytes: gzipSync(Buffer.concat([svg(''), Buffer.alloc(50_000_000, 32)])),
    outcome: UNSUPPORTED,
  },
  { name: 'UTF-16', bytes: Buffer.from(`\ufeff${svg('<rect/>')}`, 'utf16le'), outcome: BROKEN },
  { name: 'without an end', bytes: svg('<rect/>').subarray(0, -6), outcome: BROKEN },
];

const HOSTILE_RASTERS: readonly HostileImage[] = [
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

export const HOSTILE_IMAGES: readonly HostileImage[] = [...HOSTILE_SVGS, ...HOSTILE_RASTERS];
