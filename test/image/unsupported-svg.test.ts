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
  [
    'a quoted reference',
    svg(`<clipPath id="c">${RECT}</clipPath><rect ${SIZE} style="clip-path:url(&quot;#c&quot;)"/>`),
  ],
  ['a style sheet', svg(`<style>/* var(--c) */.a{fill:hsl(0deg 100% 50%)}</style><rect class="a" ${SIZE}/>`)],
  ['a font from elsewhere', svg(`<style>@font-face{font-family:x;src:url(https://x.test/a.woff)}</style>${RECT}`)],
  ['a rule for print', svg(`<style>@media print { rect{fill:blue} }</style>${RECT}`)],
  ['keyframes of a color', svg(`<style>@keyframes k{from{fill:red}to{fill:blue}}</style>${RECT}`)],
  ['a dark theme', svg(`<style>@media (prefers-color-scheme:dark){rect{fill:blue}}</style>${RECT}`)],
  ['an attribute of Illustrator', svg(RECT, `${SIZE} style="enable-background:new 0 0 40 40"`)],
  [
    'a part for an editor',
    svg(`<switch><foreignObject requiredExtensions="http://ns.adobe.com/"/><g>${RECT}</g></switch>`),
  ],
  [
    'a comment and a text that name what is not supported',
    svg(`<!-- <script> --><desc>foreignObject var(--c)</desc>${RECT}`),
  ],
  ['a type with entities', svg(RECT.replace('red', '&c;'), SIZE, '<!DOCTYPE svg [<!ENTITY c "red">]>')],
  ['an animation of a visible part', svg(`<rect ${SIZE}><animate attributeName="fill" values="red;blue"/></rect>`)],
  ['a transform', svg(`<rect width="10" height="10" transform="translate(1 2) scale(3)"/>`)],
])('copies an SVG with %s', async (_, text) => {
  expect(await decoder.decode(Buffer.from(text))).toMatchObject({ extension: 'png' });
});

const styled = (css: string) => svg(`${RECT}<rect ${SIZE} style="${css}"/>`);
const sheet = (css: string) => svg(`<style>${css}</style>${RECT}`);

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
  ['a paint from a file', svg(`${RECT}<rect ${SIZE} fill="url(a.svg#b)"/>`)],
  ['a background', svg(RECT, `${SIZE} style="background:#fff"`)],
  ['a background in a sheet', sheet('svg { background-color : red }')],
  ['a variable', styled('fill:var(--c)')],
  ['a variable in an attribute', svg(`${RECT}<rect ${SIZE} fill="var(--c, red)"/>`)],
  ...['oklch(.6 .2 30)', 'oklab(.6 .2 .1)', 'lab(50% 60 40)', 'lch(50% 60 40)', 'color-mix(in srgb, red, blue)'].map(
    (color) => [color, styled(`fill:${color}`)] as const,
  ),
  ...['color(display-p3 1 0 0)', 'light-dark(red, blue)', 'rgb(from red r g b)', 'CanvasText'].map(
    (color) => [color, styled(`fill:${color}`)] as const,
  ),
  ['a color in an entity', svg(`<rect ${SIZE} fill="&c;"/>`, SIZE, '<!DOCTYPE svg [<!ENTITY c "oklch(1 0 0)">]>')],
  ['an element in an entity', svg(`${RECT}&e;`, SIZE, `<!DOCTYPE svg [<!ENTITY e "<rect width='9' height='9'/>">]>`)],
  ['an import', sheet('@import url(a.css);')],
  ['an external style sheet', svg(RECT, SIZE, '<?xml-stylesheet href="a.css"?>')],
  ['a layer', sheet('@layer a{rect{fill:blue}}')],
  ['a query', sheet('@media screen{rect{fill:blue}}')],
  ['a query that screens meet', sheet('@media not print{rect{fill:blue}}')],
  ['a query for print and screens', sheet('@media print, screen{rect{fill:blue}}')],
  ['a light theme', sheet('@media (prefers-color-scheme:light){rect{fill:blue}}')],
  ['nested rules', sheet('svg{rect{fill:blue}}')],
  ['a rule that nests itself', sheet('rect{stroke:red;&amp;:hover{fill:blue}}')],
  ['a sheet for print', sheet('rect{fill:blue}').replace('<style', '<style media="print"')],
  ['a sheet of another language', sheet('rect{fill:blue}').replace('<style', '<style type="text/less"')],
  ['a variable in escapes', styled('fill:v\\61 r(--c)')],
  ['a variable in entities', styled('fill:&#118;&#x61;r(--c)')],
  ['a prefix', svg(`<g xmlns:s="http://www.w3.org/2000/svg">${RECT}<s:foreignObject ${SIZE}/></g>`)],
  ['a rotation in space', styled('transform:rotateY(45deg)')],
  ['a box of a transform', styled('transform-box:fill-box;transform:rotate(9deg)')],
  ['a selector', sheet(':is(rect){fill:blue}')],
  ['a calculated size', styled('width:calc(10px + 10px)')],
  ['a unit', svg(`${RECT}<rect width="10rem" height="10vh"/>`)],
  ['a shape for a clip', styled('clip-path:circle(5px)')],
  ['a gradient for a mask', styled('mask:linear-gradient(#000, transparent)')],
  ['a path in CSS', styled(`d:path('M0 0H40V40z')`)],
  ['a rotation in CSS', styled('rotate:45deg')],
  ['an origin of a transform', svg(`${RECT}<rect ${SIZE} transform="scale(2)" transform-origin="20 20"/>`)],
  ['text on a path', svg(`${RECT}<path id="p" d="M0 9H9"/><text><textPath href="#p">x</textPath></text>`)],
  ['a script', svg(`${RECT}<script>draw()</script>`)],
  ['a script that runs on load', svg(RECT, `${SIZE} onload="draw()"`)],
  [
    'a part that an animation shows',
    svg(`${RECT}<g visibility="hidden"><set attributeName="visibility" to="visible"/></g>`),
  ],
  ['a part that fades in', svg(`${RECT}<g opacity="0"><animate attributeName="opacity" to="1"/></g>`)],
  ['a part that CSS fades in', sheet('@keyframes k{to{opacity:1}}rect{opacity:0;animation:k 1s}')],
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
