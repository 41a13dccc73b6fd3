// Defines the paths and media types of the files of a dump.

export const DUMP_FOLDER = 'dump';
/** Media types by file extension. */
export const DUMP_TYPES = {
  parquet: 'application/vnd.apache.parquet',
  'ndjson.gz': 'application/gzip',
  md: 'text/markdown; charset=utf-8',
} as const;

/** Returns a path relative to the site, such as `dump/tokens.parquet`. */
export function dumpFile(name: string, extension: keyof typeof DUMP_TYPES): string {
  return `${DUMP_FOLDER}/${name}.${extension}`;
}
