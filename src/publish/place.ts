// Where the state of a site is in its storage, or that of one shard of it.
import { type Shard, shardName } from '#model/shard.ts';
import type { Pace } from './pace.ts';
import type { Target } from './target.ts';

export const STATE_FOLDER = '.stxpress/';

export interface Place {
  readonly target: Target;
  readonly pace: Pace;
  /** Before its keys, with a slash at its end. */
  readonly folder: string;
}

export function placeOf(target: Target, pace: Pace, shard?: Shard): Place {
  return { target, pace, folder: shard === undefined ? STATE_FOLDER : `${STATE_FOLDER}${shardName(shard)}/` };
}

/** The places of the shards of which these keys are. */
export function shardPlaces(target: Target, pace: Pace, keys: readonly string[]): Place[] {
  const folders = keys.flatMap((key) => /^\.stxpress\/shard-\d+-of-\d+\//.exec(key) ?? []);
  return [...new Set(folders)].sort().map((folder) => ({ target, pace, folder }));
}
