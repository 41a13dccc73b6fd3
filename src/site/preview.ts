// Reads the picture of link previews, 1200 by 630 pixels.

import { readFileSync } from 'node:fs';

export const PREVIEW_FILE = 'explorer/preview.png';

export function readPreview(): Buffer {
  return readFileSync(new URL('./preview.png', import.meta.url));
}
