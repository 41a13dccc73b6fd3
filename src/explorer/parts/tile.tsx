// Draws the tile of an id, which replaces a missing picture.
import { tileOf } from '../tile.ts';

/** Sizes: `s` 24 pixels, none 36, `l` 56 or 96, `full` the entire width. */
export type PictureSize = '' | 's' | 'l' | 'full';

export function Tile({ id, size = '' }: { id: string; size?: PictureSize }) {
  const { background, cells } = tileOf(id);
  return (
    <svg class={`pic ${size}`} viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" fill={background} />
      {cells.map(({ fill, shape }, index) => (
        <path key={index} transform={`translate(${(index & 1) * 8} ${(index >> 1) * 8})`} fill={fill} d={shape} />
      ))}
    </svg>
  );
}
