// Says where the files of a dump are, and their media types.

export const DUMP_FOLDER = 'dump';
/** By extension. */
export const DUMP_TYPES = {
  parquet: 'application/vnd.apache.parquet',
  'ndjson.gz': 'application/gzip',
  md: 'text/markdown; charset=utf-8',
} as const;

/** A path below the site, such as `dump/tokens.parquet`. */
export function dumpFile(name: string, extension: keyof typeof DUMP_TYPES): string {
  return `${DUMP_FOLDER}/${name}.${extension}`;
}
