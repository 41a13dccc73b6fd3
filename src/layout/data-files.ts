// Names the data files of a site: blocks of the call graph, tables of the dump, and parts of the seed.
import { fnv1a } from './fnv1a.ts';

/** Returns the block of a contract: the first three of the eight hex digits of the FNV-1a hash of its id. */
export function graphBlockOf(contractId: string): string {
  return fnv1a(contractId).toString(16).padStart(8, '0').slice(0, 3);
}

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

/** A seed is an event archive in parts, which others can use to index the chain. */
export const SEED_FOLDER = 'seed';
export const SEED_MANIFEST = 'index.json';
/** The media type of each file extension of the parts. */
export const SEED_TYPES = { 'tsv.zst': 'application/zstd' } as const;

const NAME_DIGITS = 16;

/** Returns the name of a part. It has the beginning of the hash of its bytes, so that caches can keep it forever. */
export function seedPartName(first: number, last: number, sha256: string): string {
  return `${first}-${last}-${sha256.slice(0, NAME_DIGITS)}.tsv.zst`;
}

/** Matches names of parts, and paths that end with one. */
export const SEED_PART_NAME = /^\d+-\d+-[0-9a-f]{16}\.tsv\.zst$/;
export const SEED_PART_PATH = /(?:^|[/\\])\d+-\d+-[0-9a-f]{16}\.tsv\.zst$/;
