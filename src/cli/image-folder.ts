// Where the copies of an index's images are.
import { dirname, join } from 'node:path';
import { IMAGE_FOLDER } from '#model/image-file.ts';

export function imageFolder(db: string): string {
  return join(dirname(db), IMAGE_FOLDER);
}
