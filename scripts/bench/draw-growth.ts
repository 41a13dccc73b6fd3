// Draws how time and memory grow with the chain, as an SVG with logarithmic axes.
import type { Measured } from './measure.ts';

export interface Size {
  /** How many contracts or tokens. */
  readonly count: number;
  readonly index: Measured;
  readonly build: Measured;
}

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly read: (measured: Measured) => number;
}

const PANELS: readonly Panel[] = [
  { title: 'Time', unit: 's', read: ({ seconds }) => seconds },
  { title: 'Peak of memory', unit: 'MB', read: ({ peakMb }) => peakMb ?? 1 },
];
const LINES = [
  { key: 'index', color: '#5546ff' },
  { key: 'build', color: '#c05a1c' },
] as const;
const WIDTH = 380;
const HEIGHT = 280;
const LEFT = 64;
/** Between the axis and the first point, for its label. */
const INDENT = 20;
const TOP = 44;
const BOTTOM = 40;

/** `noun`: what grows. */
export function renderGrowth(noun: string, sizes: readonly Size[]): string {
  const panels = PANELS.map(
    (panel, at) => `<g transform="translate(${at * WIDTH} 0)">${renderPanel(panel, sizes)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * PANELS.length} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="Time grows as the number of ${noun}, the peak of memory does not">
<rect width="100%" height="100%" fill="#fff"/>
${panels.join('\n')}
</svg>
`;
}

function renderPanel({ title, unit, read }: Panel, sizes: readonly Size[]): string {
  const values = sizes.flatMap((size) => LINES.map(({ key }) => read(size[key])));
  const [lowest, highest] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const [first, last] = [sizes[0]?.count ?? 1, sizes.at(-1)?.count ?? 10].map(Math.log10) as [number, number];
  const x = (count: number) =>
    LEFT + INDENT + ((Math.log10(count) - first) / (last - first)) * (WIDTH - LEFT - INDENT - 48);
  const y = (value: number) =>
    HEIGHT - BOTTOM - ((Math.log10(value) - lowest) / Math.max(highest - lowest, 1)) * (HEIGHT - TOP - BOTTOM);
  const number = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 });
  const parts = [`<text x="${LEFT}" y="20" font-weight="bold">${title} (${unit})</text>`];
  for (let power = lowest; power <= highest; power++) {
    const at = y(10 ** power).toFixed(1);
    parts.push(`<path d="M${LEFT} ${at}H${WIDTH - 24}" stroke="#ddd"/>`);
    parts.push(`<text x="${LEFT - 8}" y="${at}" dy="4" text-anchor="end" fill="#555">${number(10 ** power)}</text>`);
  }
  for (const { count } of sizes)
    parts.push(
      `<text x="${x(count).toFixed(1)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="#555">${number(count)}</text>`,
    );
  for (const { key, color } of LINES) {
    const points = sizes.map((size) => {
      const value = read(size[key]);
      // The higher of two values is named above its line, the lower one below.
      const isHighest = LINES.every((line) => read(size[line.key]) <= value);
      return [x(size.count), y(value), value, isHighest ? -8 : 16] as const;
    });
    parts.push(
      `<polyline points="${points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
    );
    for (const [px, py, value, below] of points) {
      parts.push(`<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3" fill="${color}"/>`);
      parts.push(
        `<text x="${px.toFixed(1)}" y="${(py + below).toFixed(1)}" text-anchor="middle" fill="${color}">${number(value)}</text>`,
      );
    }
    const legend = LINES.findIndex((line) => line.key === key);
    parts.push(`<text x="${LEFT + 170 + legend * 55}" y="20" fill="${color}">${key}</text>`);
  }
  return parts.join('\n');
}
