// Tests the rendering of SVGs. A separate process renders each SVG, so a test handles only a few per second.

import fc from 'fast-check';
import { fuzz } from './fuzz.ts';
import { readImage } from './read-image.ts';

const ELEMENTS = [
  '<rect width="9" height="9" fill="red"/>',
  '<text x="1" y="9">€</text>',
  '<image href="file:///etc/hostname" width="9" height="9"/>',
  '<image href="data:image/png;base64,AAAA" width="9" height="9"/>',
  '<use href="#a"/>',
  '<g id="a"><use href="#a"/></g>',
  '<script>throw 1</script>',
  '<path d="M0 0L9 9A1 1 0 0 1 5 5Z" stroke="#000"/>',
  '<filter id="f"><feGaussianBlur stdDeviation="3"/></filter><rect filter="url(#f)" width="9" height="9"/>',
  '<style>@import url(http://127.0.0.1:1/);rect{fill:url(#a)}</style>',
];
const SIZES = ['width="9" height="9"', 'viewBox="0 0 9 9"', 'width="1e9" height="1e9"', 'width="0" height="-1"', ''];
const HEADS = ['', '\ufeff', '<?xml version="1.0"?>', '<!DOCTYPE svg [<!ENTITY a "&b;&b;"><!ENTITY b "&a;">]>', 'x'];

/** Elements that the renderer draws like a browser. Valid inputs contain only these elements. */
const DRAWN = ELEMENTS.filter((element) => !/<image|<script|<style|<text/.test(element));

const svgOf = (sizes: readonly string[], heads: readonly string[], elements: readonly string[], first = '') =>
  fc
    .tuple(
      fc.constantFrom(...heads),
      fc.constantFrom(...sizes),
      fc.array(fc.constantFrom(...elements), { maxLength: 4 }),
    )
    .map(([head, size, body]) =>
      Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg" ${size}>${first}${body.join('')}</svg>`),
    );

fuzz({
  name: 'svg',
  inputs: 4,
  limitMs: 3_000,
  valid: svgOf(SIZES.slice(0, 2), ['', '<?xml version="1.0"?>'], DRAWN, ELEMENTS[0]),
  edit: fc.tuple(svgOf(SIZES, HEADS, ELEMENTS), fc.nat(4)).map(
    ([svg, style]) =>
      () =>
        style === 0 ? Buffer.from(`\ufeff${svg}`, 'utf16le') : svg,
  ),
  tokens: [...ELEMENTS, ...HEADS, '<g>', '</g>', '&a;', '1e999', '%', '"', '<!--', ']]>'],
  read: readImage,
});
