import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { createImageDecoder } from '#image/image-decoder.ts';

const decoder = createImageDecoder(1_000_000);
afterAll(() => decoder.close());
const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const SIZE = 'width="40" height="40"';
const RECT = `<rect ${SIZE} fill="red"/>`;
const svg = (body: string, more = SIZE, head = '') => `${head}<svg ${XMLNS} ${more}>${body}</svg>`;
const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
const embedded = async (format: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif', type: string = format) =>
  `data:image/${type};base64,${(await picture.clone().toFormat(format).toBuffer()).toString('base64')}`;
const inner = (body: string) => `data:image/svg+xml;base64,${Buffer.from(svg(body)).toString('base64')}`;
const image = (uri: string) => `<image ${SIZE} href="${uri}"/>`;

test.each<readonly [name: string, text: string]>([
  ['a PNG inside', svg(image(await embedded('png')))],
  ['a JPEG inside', svg(image(await embedded('jpeg')))],
  ['a PNG in an old attribute', svg(image(await embedded('png')).replace('href', 'xlink:href'))],
  ['an SVG inside', svg(image(inner(RECT)))],
  ['a use of a symbol', svg(`<symbol id="a">${RECT}</symbol><use href="#a"/>`)],
  ['a link', svg(`<a href="https://x.test">${RECT}</a>`)],
  ['a gradient', svg(`<linearGradient id="g"><stop stop-color="red"/></linearGradient><rect ${SIZE} fill="url(#g)"/>`)],
  ['a style sheet', svg(`<style>/* var(--c) */.a{fill:hsl(0deg 100% 50%)}</style><rect class="a" ${SIZE}/>`)],
  ['styles that are not drawn', svg(`<style>@import url(a.css);svg{background:red}</style>${RECT}`)],
  ['a script', svg(`${RECT}<script>draw()</script>`, `${SIZE} onload="draw()"`)],
  ['a part that fades in', svg(`${RECT}<g opacity="0"><animate attributeName="opacity" to="1"/></g>`)],
  [
    'a part for an editor',
    svg(`<switch><foreignObject requiredExtensions="http://ns.adobe.com/"/><g>${RECT}</g></switch>`),
  ],
  [
    'a comment and a text that name what is not supported',
    svg(`<!-- <foreignObject> --><desc>foreignObject</desc>${RECT}`),
  ],
  ['a type with entities', svg(RECT.replace('red', '&c;'), SIZE, '<!DOCTYPE svg [<!ENTITY c "red">]>')],
  ['a transform', svg(`<rect width="10" height="10" transform="translate(1 2) scale(3)"/>`)],
])('copies an SVG with %s', async (_, text) => {
  expect(await decoder.decode(Buffer.from(text))).toMatchObject({ extension: 'png' });
});

test.each<readonly [name: string, text: string]>([
  ['foreignObject', svg(`${RECT}<foreignObject ${SIZE}><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>`)],
  ['a GIF inside', svg(RECT + image(await embedded('gif')))],
  ['a WebP inside', svg(RECT + image(await embedded('webp')))],
  ['an AVIF inside', svg(RECT + image(await embedded('avif')))],
  ['a GIF declared as PNG', svg(RECT + image(await embedded('gif', 'png')))],
  ['a PNG declared as JPEG', svg(RECT + image(await embedded('png', 'jpeg')))],
  ['a GIF in an SVG inside', svg(RECT + image(inner(image(await embedded('gif')))))],
  ['a GIF in a filter', svg(`<filter id="f"><feImage href="${await embedded('gif')}"/></filter>${RECT}`)],
  ['a picture of another site', svg(RECT + image('https://x.test/a.png'))],
  ['a picture from a file', svg(RECT + image('a.png').replace('href', 'xlink:href'))],
  ['a use of a file', svg(`${RECT}<use href="a.svg#b"/>`)],
  ['an element in an entity', svg(`${RECT}&e;`, SIZE, '<!DOCTYPE svg [<!ENTITY e "<foreignObject/>">]>')],
  ['a prefix', svg(`<g xmlns:s="http://www.w3.org/2000/svg">${RECT}<s:foreignObject ${SIZE}/></g>`)],
  ['text on a path', svg(`${RECT}<path id="p" d="M0 9H9"/><text><textPath href="#p">x</textPath></text>`)],
])('reports image-unsupported, %s', async (_, text) => {
  const failure = {
    code: 'image-unsupported',
    message: expect.stringMatching(/^The SVG contains .+\.$/),
    retryable: false,
  };
  expect(await decoder.decode(Buffer.from(text))).toMatchObject(failure);
});

test.each([
  ['no elements', svg('')],
  ['a transparent part', svg(`<rect ${SIZE} opacity="0"/>`)],
  ['a part beyond the edge', svg(`<rect x="99" ${SIZE}/>`)],
  ['a mask that leaves nothing', svg(`<mask id="m"/><rect ${SIZE} mask="url(#m)"/>`)],
  ['a clip that leaves nothing', svg(`<clipPath id="c"/><rect ${SIZE} clip-path="url(#c)"/>`)],
  ['a use of itself', svg('<g id="a"><use href="#b"/></g>')],
])('reports image-blank, %s', async (_, text) => {
  expect(await decoder.decode(Buffer.from(text))).toMatchObject({ code: 'image-blank', retryable: false });
});

test('copies a transparent PNG, and rejects a transparent TIFF', async () => {
  const clear = sharp({ create: { width: 9, height: 9, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } } });
  expect(await decoder.decode(await clear.clone().png().toBuffer())).toMatchObject({ extension: 'png' });
  expect(await decoder.decode(await clear.tiff({ compression: 'lzw' }).toBuffer())).toMatchObject({
    code: 'image-blank',
  });
});
