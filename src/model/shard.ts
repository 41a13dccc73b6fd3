// A shard: one machine's part of all contracts, chosen by the hash of their ids.
import { hash } from 'node:crypto';

export interface Shard {
  /** Starts at 1. */
  readonly number: number;
  readonly of: number;
}

/** Parses `2/8`; undefined if it is not a shard. */
export function parseShard(text: string): Shard | undefined {
  const [, first, second] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { number: Number(first), of: Number(second) };
  return shard.number >= 1 && shard.number <= shard.of ? shard : undefined;
}

export function formatShard({ number, of }: Shard): string {
  return `${number}/${of}`;
}

export function isInShard({ number, of }: Shard, contractId: string): boolean {
  return hash('sha256', contractId, 'buffer').readUInt32BE() % of === number - 1;
}

/** The shard in names of files and objects: `shard-2-of-8`. */
export function shardName({ number, of }: Shard): string {
  return `shard-${number}-of-${of}`;
}
