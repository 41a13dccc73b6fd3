// Defines hostile SVGs.
import { gzipSync } from 'node:zlib';
import { BROKEN, bomb, COSTLY, type HostileImage, images } from './hostile-image.ts';

const svg = (body: string, size = 'width="100" height="100"', head = '') =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`,
  );
const dataUri = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`;
const svgUri = (bytes: Buffer) => dataUri(bytes, 'image/svg+xml');
/** Returns an SVG pattern that is filled with another SVG pattern. */
const patternOf = (id: number, by: number) =>
  `<pattern id="p${id}" width="1" height="1" patternUnits="userSpaceOnUse">
    <rect width="99" height="99" fill="url(#p${by})"/></pattern>`;
/** Returns SVG groups on `levels` levels. Each group uses the group of the level below ten times. */
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
  ...images([BROKEN, COSTLY], {
    // The decoder refuses this one after four seconds of CPU time, unless the decoder has a lower limit.
    'use in use, a billion times': svg(`<rect id="l0" width="1" height="1"/>${nestedUse(9)}<use href="#l9"/>`),
    '900 KB of one text': svg(`<text y="20">${'W'.repeat(900_000)}</text>`),
  }),
  ...images('png', {
    'convolution with a huge kernel': svg(
      `<filter id="f"><feConvolveMatrix order="1000000" kernelMatrix="1"/></filter>
      <rect width="99" height="99" filter="url(#f)"/>`,
    ),
    'a letter of a million px': svg('<text y="20" font-size="1000000">W</text>'),
    'a size that is not a number': svg('<rect width="9" height="9"/>', 'width="NaN" height="1e999"'),
    'a view of a thousand million': svg(
      '<rect width="1e9" height="1e9"/>',
      'viewBox="0 0 1e9 1e9" width="9" height="9"',
    ),
    'a stroke of a million dashes': svg('<path d="M0 0H1000000" stroke="#000" stroke-dasharray="0.001"/>'),
    'a path of 20,000 points': svg(`<path stroke="#000" d="M0 0${'L99 9L9 99'.repeat(10_000)}"/>`),
  }),
  ...images('image-blank', {
    'use of itself': svg('<g id="a"><use href="#a"/></g>'),
    'blur of a million pixels': svg(
      '<filter id="f"><feGaussianBlur stdDeviation="1000000"/></filter><rect width="99" height="99" filter="url(#f)"/>',
    ),
    'an SVG in an SVG in an SVG': svg(
      `<image width="9" height="9" href="${svgUri(svg(`<image href="${svgUri(svg('<rect/>'))}"/>`))}"/>`,
    ),
    'patterns in patterns': svg(
      `${Array.from({ length: 12 }, (_, n) => patternOf(n + 1, n)).join('')}
      <rect width="99" height="99" fill="url(#p12)"/>`,
    ),
    'a pattern of itself': svg(
      `<pattern id="p" width="1" height="1"><rect width="9" height="9" fill="url(#p)"/></pattern>
      <rect width="99" height="99" fill="url(#p)"/>`,
    ),
    'a mask of itself': svg(
      '<mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask><rect width="99" height="99" mask="url(#m)"/>',
    ),
    'a DTD from the network': svg('', 'width="9" height="9"', '<!DOCTYPE svg SYSTEM "http://127.0.0.1:1/a.dtd">'),
    'styles from the network': svg(
      '<style>@import url(http://127.0.0.1:1/);@font-face{font-family:x;src:url(file:///etc/passwd)}</style><rect/>',
      'width="9" height="9"',
      '<?xml-stylesheet href="http://127.0.0.1:1/a.css"?>',
    ),
    'XInclude of a file': svg(
      '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>',
    ),
    '20,000 elements': svg('<g/>'.repeat(20_000)),
    'a size of a thousand million': svg('', 'width="1e9" height="1e9"'),
  }),
  ...images('image-unsupported', {
    'images from files and the network': svg(
      '<image href="file:///etc/passwd" width="9" height="9"/><image href="http://127.0.0.1:1/" width="9" height="9"/>',
    ),
    'a script, and HTML inside': svg(
      `<script>while(1);</script><foreignObject width="9" height="9">
      <body xmlns="http://www.w3.org/1999/xhtml"><iframe src="http://127.0.0.1:1/"/></body></foreignObject>`,
    ),
  }),
  ...images(COSTLY, {
    'a PNG of 50 million pixels inside': svg(`<image width="9" height="9" href="${dataUri(bomb, 'image/png')}"/>`),
    'ten PNGs of 50 million pixels inside': svg(
      `<image width="9" height="9" href="${dataUri(bomb, 'image/png')}"/>`.repeat(10),
    ),
    '240,000 elements': svg('<g/>'.repeat(240_000)),
  }),
  ...images(BROKEN, {
    'a billion laughs': svg(
      '<text>&e9;</text>',
      'width="9" height="9"',
      `<!DOCTYPE svg [<!ENTITY e0 "ha">${nestedEntities}]>`,
    ),
    'an entity from a file': svg(
      '<text>&a;</text>',
      'width="9" height="9"',
      '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    ),
    'elements 100,000 deep': svg('<g>'.repeat(100_000) + '</g>'.repeat(100_000)),
    'a size of zero': svg('', 'width="0" height="0"'),
    'UTF-16': Buffer.from(`\ufeff${svg('<rect/>')}`, 'utf16le'),
    'a missing end': svg('<rect/>').subarray(0, -6),
  }),
  ...images('image-unsupported', {
    'gzipped SVG of 50 MB': gzipSync(Buffer.concat([svg(''), Buffer.alloc(50_000_000, 32)])),
  }),
];
