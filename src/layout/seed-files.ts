// Defines the paths of a seed in a build. A seed is an event archive in parts, which others can use to index the chain.

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
