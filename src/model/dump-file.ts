// Names of the files of a dump.
import type { DUMP_TYPES } from './media-types.ts';
import { type Shard, shardName } from './shard.ts';

export const DUMP_FOLDER = 'dump';

/** A path below the site: `dump/tokens.parquet`, and of a shard `dump/tokens.shard-2-of-8.parquet`. */
export function dumpFile(name: string, extension: keyof typeof DUMP_TYPES, shard: Shard | undefined): string {
  return `${DUMP_FOLDER}/${[name, ...(shard === undefined ? [] : [shardName(shard)]), extension].join('.')}`;
}
