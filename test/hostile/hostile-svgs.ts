// Hostile SVGs. What takes too much processor time is with the tests of the decoder, which can be given less of it.
import { gzipSync } from 'node:zlib';
import { BROKEN, bomb, COSTLY, type HostileImage, TOO_MANY, UNSUPPORTED } from './hostile-image.ts';

const svg = (body: string, size = 'width="100" height="100"', head = '') =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`,
  );
const dataUri = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`;
const svgUri = (bytes: Buffer) => dataUri(bytes, 'image/svg+xml');
/** A pattern that is filled with another one. */
const patternOf = (id: number, by: number) =>
  `<pattern id="p${id}" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="99" height="99" fill="url(#p${by})"/></pattern>`;
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

export const HOSTILE_SVGS: readonly HostileImage[] = [
  {
    name: 'use in use, a billion times',
    bytes: svg(`<rect id="l0" width="1" height="1"/>${nestedUse(9)}<use href="#l9"/>`),
    // The decoder refuses it after four seconds of processor time, or is stopped before on a slow machine.
    outcome: [BROKEN, COSTLY],
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
