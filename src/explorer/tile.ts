// Computes the tile of an id: two by two cells in three tones.
import { fnv1a } from '#layout/fnv1a.ts';

/** Quarter circles, a square, a circle, an arch and a petal, on a grid of 8. */
const SHAPES = [
  'M0 0h8a8 8 0 0 1-8 8z',
  'M8 0v8a8 8 0 0 1-8-8z',
  'M8 8h-8a8 8 0 0 1 8-8z',
  'M0 8v-8a8 8 0 0 1 8 8z',
  'M0 0h8v8z',
  'M4 1a3 3 0 0 1 0 6a3 3 0 0 1 0-6z',
  'M0 4a4 4 0 0 1 8 0v4h-8z',
  'M0 0a8 8 0 0 1 8 8a8 8 0 0 1-8-8z',
] as const;
const HUES = [2, 16, 28, 40, 52, 95, 150, 172, 188, 202, 216, 230, 252, 274, 310, 338] as const;

interface Cell {
  readonly fill: string;
  readonly shape: string;
}

/** Returns the background and the four cells of an id. One cell always has the dark tone. */
export function tileOf(id: string): { readonly background: string; readonly cells: readonly Cell[] } {
  const [colours, shapes] = [hash(id), hash(`${id}~`)];
  const hue = HUES[colours & 15] ?? 0;
  const neighbour = (hue + ((colours >>> 5) & 1 ? 36 : 324)) % 360;
  const tones = [`hsl(${hue} 48% 40%)`, `hsl(${neighbour} 58% 62%)`, `hsl(${hue} 46% 72%)`];
  const darkCell = (colours >>> 8) % 4;
  const cells = [0, 1, 2, 3].map((index) => {
    const bits = shapes >>> (index * 6);
    return { fill: tones[index === darkCell ? 0 : (bits >>> 3) % 3] ?? '', shape: SHAPES[bits & 7] ?? '' };
  });
  return { background: `hsl(${hue} 40% 89%)`, cells };
}

/** Mixes the high bits of the hash into the low ones. */
function hash(text: string): number {
  const plain = fnv1a(text);
  const sum = Math.imul(plain ^ (plain >>> 15), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}
