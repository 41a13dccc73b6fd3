// Adds the files of our copies of images, as they were written: an image folder may lose some, or their bytes.
// Copies of before have no rows.
import { triggersOf } from './0009-ledger.ts';

export const imageFiles: readonly string[] = [
  `create table image_file (
    name text primary key,
    bytes integer not null,
    sha256 text not null
  ) strict, without rowid`,
  ...triggersOf({
    entity: 'image',
    table: 'image_file',
    columns: ['sha256'],
    keys: (row) => `select substr(${row}.name, 1, 64)`,
  }),
];
