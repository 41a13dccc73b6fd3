// Says where the files of a dump are, and their media types.
import { type Shard, shardName } from '#model/shard.ts';

export const DUMP_FOLDER = 'dump';
/** By extension. */
export const DUMP_TYPES = {
  parquet: 'application/vnd.apache.parquet',
  'ndjson.gz': 'application/gzip',
  md: 'text/markdown; charset=utf-8',
} as const;

/** A path below the site: `dump/tokens.parquet`, and of a shard `dump/tokens.shard-2-of-8.parquet`. */
export function dumpFile(name: string, extension: keyof typeof DUMP_TYPES, shard: Shard | undefined): string {
  return `${DUMP_FOLDER}/${[name, ...(shard === undefined ? [] : [shardName(shard)]), extension].join('.')}`;
}
