// Defines the paths and the media types of dumps, which are tables of all data for download.

export const DUMP_FOLDER = 'dump';
/** The media type of each file extension. */
export const DUMP_TYPES = {
  parquet: 'application/vnd.apache.parquet',
  'ndjson.gz': 'application/gzip',
} as const;

/** Returns the path of a file in the site, such as `dump/tokens.parquet`. */
export function dumpFile(name: string, extension: keyof typeof DUMP_TYPES): string {
  return `${DUMP_FOLDER}/${name}.${extension}`;
}
