// A shard: the part of all contracts that one of several machines works on, by the hash of their ids.
import { hash } from 'node:crypto';

export interface Shard {
  /** From 1 on. */
  readonly number: number;
  /** How many there are. */
  readonly of: number;
}

/** Reads `2/8`; undefined if it is no shard. */
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

/** As names of files and objects have it: `shard-2-of-8`. */
export function shardName({ number, of }: Shard): string {
  return `shard-${number}-of-${of}`;
}
