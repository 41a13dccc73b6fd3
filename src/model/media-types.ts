// Media types of files that a build copies, by extension: images and dumps.

export const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

export const DUMP_TYPES = {
  parquet: 'application/vnd.apache.parquet',
  'ndjson.gz': 'application/gzip',
  md: 'text/markdown; charset=utf-8',
} as const;
