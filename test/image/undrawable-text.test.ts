// Tests which texts of an SVG are drawn. The fonts are files with only a table of characters, so the result does not
// depend on the fonts of the machine.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findUndrawable } from '#image/find-undrawable.js';
import { findUnsupported, unescapeTexts } from '#image/find-unsupported.js';
import { createImageDecoder } from '#image/image-decoder.ts';
import { expectLinear } from '../support/linear-time.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const numbers = (size: 2 | 4, values: readonly number[]) => {
  const bytes = Buffer.alloc(size * values.length);
  for (const [at, value] of values.entries()) bytes.writeUIntBE(value, at * size, size);
  return bytes;
};
/** Returns a table of format 4. The glyphs of the last range are listed. */
const segments = (ranges: readonly (readonly [first: number, last: number])[]) => {
  const [first, last] = ranges.at(-1) ?? [0, 0];
  const all = [...ranges, [0xffff, 0xffff]] as const;
  const offsets = all.map((_, at) => (at === ranges.length - 1 ? 4 : 0));
  const lists = [all.map(([, end]) => end), [0], all.map(([start]) => start), all.map(() => 1), offsets];
  const glyphs = Array.from({ length: last - first + 1 }, (_, at) => at);
  return numbers(2, [4, 0, 0, 2 * all.length, 0, 0, 0, ...lists.flat(), ...glyphs]);
};
/** Returns a table of format 12. */
const groups = (ranges: readonly (readonly [first: number, last: number])[]) =>
  Buffer.concat([
    numbers(2, [12, 0]),
    numbers(4, [0, 0, ranges.length, ...ranges.flatMap(([first, last]) => [first, last, 7])]),
  ]);
/** Returns a font that begins at `start` of its file. */
const font = (table: Buffer, encoding: number, tags = ['cmap', 'glyf'], start = 0) => {
  const entries = tags.map((tag) =>
    Buffer.concat([Buffer.from(tag), numbers(4, [0, start + 12 + 16 * tags.length, 2_000])]),
  );
  const cmap = Buffer.concat([numbers(2, [0, 1, 3, encoding]), numbers(4, [12]), table]);
  return Buffer.concat([numbers(4, [0x10000]), numbers(2, [tags.length, 0, 0, 0]), ...entries, cmap]);
};

const folder = tempFolderForFile();
const fonts = join(folder, 'fonts');
mkdirSync(join(fonts, 'more'), { recursive: true });
symlinkSync('..', join(fonts, 'more', 'circle'));
const ASCII = [0x20, 0x7e] as const;
writeFileSync(join(fonts, 'latin.ttf'), font(segments([ASCII, [0x300, 0x301], [0xe7, 0xe9]]), 1));
const pictures = font(
  groups([
    [0x1f600, 0x1f64f],
    [0x2764, 0x2764],
    [0x1f469, 0x1f469],
  ]),
  10,
  ['cmap', 'glyf'],
  16,
);
writeFileSync(
  join(fonts, 'more', 'pictures.ttc'),
  Buffer.concat([Buffer.from('ttcf'), numbers(4, [0, 1, 16]), pictures]),
);
writeFileSync(join(fonts, 'color.ttf'), font(groups([[0x1f9ff, 0x1f9ff]]), 10, ['COLR', 'cmap', 'glyf']));
writeFileSync(join(fonts, 'bitmap.ttf'), font(groups([[0x2600, 0x2600]]), 10, ['cmap', 'EBDT']));
writeFileSync(join(fonts, 'LastResort.otf'), font(groups([[0, 0x10ffff]]), 10));
writeFileSync(join(fonts, 'mac.ttf'), font(groups([[0x4e00, 0x4e01]]), 0));
writeFileSync(join(fonts, 'cut.ttf'), font(groups([[0x5000, 0x5000]]), 10).subarray(0, 60));
writeFileSync(join(fonts, 'notes.txt'), 'not a font');
const config = (name: string, dir: string) => {
  const path = join(folder, name);
  writeFileSync(path, `<fontconfig><dir>${dir}</dir><cachedir>/dev/null/none</cachedir></fontconfig>`);
  return path;
};
const CONFIG = config('fonts.conf', fonts);

const decoder = createImageDecoder(1_000_000, 5, CONFIG);
const bare = createImageDecoder(1_000_000, 5, config('no-fonts.conf', join(folder, 'missing')));
afterAll(() => {
  decoder.close();
  bare.close();
});
const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (body: string, head = '') =>
  `${head}<svg ${XMLNS} width="40" height="40"><rect width="9" height="9"/>${body}</svg>`;
const text = (content: string) => svg(`<text y="30">${content}</text>`);
const inside = (uri: string) => svg(`<image width="9" height="9" href="data:image/svg+xml${uri}"/>`);
const ENTITY = '<!DOCTYPE svg [<!-- "> --><!ENTITY a "]>&#38;#x6f22;">]>';

test.each<readonly [name: string, text: string]>([
  ['letters', text('Text')],
  ['accents', text('é e\u0301 &#233; &#xE9; &#x00000000e9;')],
  ['spaces', text('\t\n\r \u00a0\u2003\u3000')],
  ['controls of direction and joining', text('a\u202e\u200f\u200d\u2060\ufeff\u00ad')],
  ['a variation selector', text('\u2764\ufe0f')],
  ['an emoji from a collection', text('\u{1f600}')],
  ['letters that are not drawn', svg('<title>漢</title><desc>漢</desc><!-- 漢 --><metadata>漢</metadata>')],
  ['a title in a text', text('<title>漢</title><tspan>a<desc>漢</desc></tspan>')],
  ['letters in a name', svg('<g id="漢"/>')],
  ['an entity without a text', svg('', ENTITY)],
  ['a character in Latin-1', text('é').replace('<svg', '<?xml version="1.0" encoding="ISO-8859-1"?><svg')],
])('copies an SVG with %s', async (name, content) => {
  const bytes = Buffer.from(content, name.includes('Latin-1') ? 'latin1' : 'utf8');
  expect(await decoder.decode(bytes)).toMatchObject({ extension: 'png' });
});

test.each<[name: string, text: string, missing?: string]>([
  ['a letter', text('a漢')],
  ['a letter in a span', text('<tspan>a</tspan><a><tspan>漢</tspan></a>')],
  ['a letter after a title', text('<title>a<b/></title>漢')],
  ['a letter after an empty style sheet', text('<style /><!-- </ -->漢')],
  ['a letter after a comment', text('<!-- </text> -->漢')],
  ['a letter in CDATA', text('<![CDATA[</text>漢]]>')],
  ['a prefix', svg(`<s:text xmlns:s="http://www.w3.org/2000/svg" y="30" data-a=">">漢</s:text>`)],
  ['a hidden letter, which a use may show', svg('<g display="none"><text id="a">漢</text></g><use href="#a"/>')],
  ['a letter in a title, which a use may show', svg('<title><text id="a">漢</text></title><use href="#a"/>')],
  ['a reference', text('&#28450;')],
  ['a reference with zeros', text(`&#x${'0'.repeat(40)}6f22;`)],
  ['an entity', `${ENTITY}${text('&a;')}`],
  ['an SVG inside', inside(`;base64,${Buffer.from(text('漢')).toString('base64')}`)],
  ['an escaped SVG inside', inside(`,${encodeURIComponent(text('漢'))}`)],
  ['an unescaped SVG inside', inside(`,${text('漢').replaceAll('"', '%22').replaceAll('<', '&lt;')}`)],
  ['a reference in an SVG inside', inside(`,${encodeURIComponent(text('&#x6f22;')).replaceAll('&', '&amp;')}`)],
  ['a combining mark', text('e\u0302'), 'U+0302'],
  ['a control character', text('a\u0085'), 'U+0085'],
  ['a filler', text('a\u3164'), 'U+3164'],
  ['the end of a range', text('\u007f'), 'U+007F'],
  ['the first glyph of a list', text('\u00e7'), 'U+00E7'],
  ['an unassigned character', text('\u{10abcd}'), 'U+10ABCD'],
  ['an emoji of a color font', text('\u{1f9ff}'), 'U+1F9FF'],
  ['a character of a bitmap font', text('\u2600'), 'U+2600'],
  ['an emoji sequence', text('\u{1f469}\u200d\u2764'), 'U+1F469 U+200D'],
  ['a skin tone', text('\u{1f600}\u{1f3fd}'), 'U+1F3FD'],
  ['a flag', text('\u{1f1e8}\u{1f1ed}'), 'U+1F1E8'],
  ['a table that is not Unicode', text('\u4e00'), 'U+4E00'],
  ['a truncated font', text('\u5000'), 'U+5000'],
])('refuses %s without a glyph', async (_: string, content: string, missing = 'U+6F22') => {
  expect(await decoder.decode(Buffer.from(content))).toMatchObject({
    code: 'image-unsupported',
    message: `The SVG contains ${missing}, which no installed font can draw.`,
    retryable: false,
  });
});

test('refuses each letter without fonts, and copies an SVG without letters', async () => {
  expect(await bare.decode(Buffer.from(text('Text')))).toHaveProperty('message', expect.stringContaining('U+0054'));
  for (const content of [svg(''), text(' '), svg('<text/>', ENTITY)])
    expect(await bare.decode(Buffer.from(content))).toMatchObject({ extension: 'png' });
});

test('draws a letter with the fonts of the machine', async () => {
  const installed = createImageDecoder(1_000_000);
  try {
    expect(await installed.decode(Buffer.from(text('Text')))).toMatchObject({ extension: 'png' });
    expect(await installed.decode(Buffer.from(text('\u{10abcd}')))).toHaveProperty('code', 'image-unsupported');
  } finally {
    installed.close();
  }
});

test('refuses UTF-16', async () => {
  const uri = `;base64,${Buffer.from(`\ufeff${text('a')}`, 'utf16le').toString('base64')}`;
  expect(await decoder.decode(Buffer.from(inside(uri)))).toHaveProperty('code', 'image-unsupported');
});

test.each(['<text>', '</text>', '<text>a</text>', '漢', '&#x0', '&#38;', '&a;', '<style>a', '\u{1f469}', '\ufe0f'])(
  'reads the texts of %j repeated 20,000 times in linear time',
  async (part) => {
    for (const head of ['<svg><text>', '<!DOCTYPE svg [<!ENTITY a "', '<svg><text>&#x'])
      await expectLinear(
        (count) => {
          const texts: string[] = [];
          findUnsupported(head + part.repeat(count), texts);
          findUndrawable(unescapeTexts(texts), CONFIG);
        },
        5_000,
        head,
      );
  },
);
