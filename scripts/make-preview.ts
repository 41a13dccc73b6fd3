// This script draws the picture of link previews: node scripts/make-preview.ts. It needs sharp and a sans-serif font.
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { tileOf } from '#explorer/tile.ts';

const [WIDTH, HEIGHT, TILE, GAP, COLUMNS, ROWS] = [1200, 630, 96, 14, 3, 4];
const LEFT = WIDTH - 72 - COLUMNS * TILE - (COLUMNS - 1) * GAP;
const TOP = (HEIGHT - ROWS * TILE - (ROWS - 1) * GAP) / 2;

const tiles = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
  const { background, cells } = tileOf(`stxpress.tile-${index}`);
  const [x, y] = [LEFT + (index % COLUMNS) * (TILE + GAP), TOP + Math.floor(index / COLUMNS) * (TILE + GAP)];
  const shapes = cells.map(
    ({ fill, shape }, cell) =>
      `<path transform="translate(${(cell & 1) * 8} ${(cell >> 1) * 8})" fill="${fill}" d="${shape}"/>`,
  );
  return `<svg x="${x}" y="${y}" width="${TILE}" height="${TILE}" viewBox="0 0 16 16">
    <clipPath id="c"><rect width="16" height="16" rx="3"/></clipPath>
    <g clip-path="url(#c)"><rect width="16" height="16" fill="${background}"/>${shapes.join('')}</g></svg>`;
});
const text = (y: number, size: number, weight: number, fill: string, content: string, x = 72) =>
  `<text x="${x}" y="${y}" font-family="Inter, Helvetica, Arial, DejaVu Sans, sans-serif" font-size="${size}"
    font-weight="${weight}" fill="${fill}">${content}</text>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
  <rect width="${WIDTH}" height="${HEIGHT}" fill="#fbfbfa"/>
  ${text(240, 64, 700, '#161917', 'Every token and')}
  ${text(316, 64, 700, '#161917', 'contract on Stacks')}
  ${text(384, 26, 400, '#59605b', 'Names, pictures, source and interfaces, as plain files')}
  <svg x="72" y="506" width="44" height="44" viewBox="0 0 20 20"><rect width="20" height="20" rx="5" fill="#08636d"/>
    <path d="M5 6.5h10M5 10h10M5 13.5h6" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></svg>
  ${text(541, 36, 700, '#161917', 'stxpress', 132)}
  ${tiles.join('\n')}
</svg>`;
await sharp(Buffer.from(svg))
  .png({ compressionLevel: 9, palette: true })
  .toFile(fileURLToPath(new URL('../src/site/preview.png', import.meta.url)));
