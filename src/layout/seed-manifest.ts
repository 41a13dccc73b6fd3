// The manifest of a seed: the chain, the tip, and the parts of the archive with their hashes.
import { hash } from 'node:crypto';
import { type FailureError, stop } from '#model/failure.ts';
import { parseJson } from '#text/parse-json.ts';
import { quote } from '#text/quote.ts';
import { seedPartName } from './data-files.ts';

export interface SeedPart {
  readonly file: string;
  /** The lowest and the highest height of a block. */
  readonly first: number;
  readonly last: number;
  /** The hash of the last block. */
  readonly index_block_hash: string;
  /**
   * True for a part with final canonical blocks, each of which is the child of the block before it. Such a part never
   * changes. Other parts have blocks of all forks in the order of arrival.
   */
  readonly is_final: boolean;
  readonly blocks: number;
  readonly bytes: number;
  /** The number of bytes after decompression. */
  readonly text_bytes: number;
  /** SHA-256 of the file in hex. */
  readonly sha256: string;
  /** Hash of this part and of all parts before it ({@link addToHash}). */
  readonly hash: string;
}

export interface SeedManifest {
  readonly format: typeof FORMAT;
  /** Null if no transaction of the chain has a chain id. */
  readonly chain_id: number | null;
  readonly tip: { readonly block_height: number; readonly index_block_hash: string };
  /** Final parts with ascending heights, then the other parts. */
  readonly parts: readonly SeedPart[];
}

export const FORMAT = 'stxpress-seed-3';
/** The maximum size of a part. Parts of a seed have at most 24 MB, unless a single block has more. */
export const MAX_PART_BYTES = 64_000_000;
/** The maximum size of a part after decompression. */
const MAX_TEXT_BYTES = 4_000_000_000;
const MAX_HEIGHT = 0xffff_ffff;
const HASH = /^[0-9a-f]{64}$/;
const BLOCK_HASH = /^0x[0-9a-f]{64}$/;

/** Returns the hash of a part and of the parts before it. `before`: the hash of the part before; empty for the first. */
export function addToHash(before: string, part: Omit<SeedPart, 'hash'>): string {
  const { first, last, index_block_hash: end, is_final: isFinal, blocks, bytes, text_bytes, sha256 } = part;
  const members = [first, last, end, isFinal, blocks, bytes, text_bytes, sha256];
  return hash('sha256', `${before}\n${members.join(' ')}\n`, 'hex');
}

export function formatManifest(manifest: SeedManifest): string {
  return `${JSON.stringify(manifest, undefined, 1)}\n`;
}

/** The maximum size of a manifest in bytes, enough for 8,000 parts. */
export const MAX_MANIFEST_BYTES = 4_000_000;

/** Parses a manifest, which may be hostile. Throws FailureError `seed-invalid`. `name` is its path or URL. */
export function parseManifest(text: string, name: string): SeedManifest {
  const manifest = parseJson(text) as Partial<SeedManifest> | null | undefined;
  if (typeof manifest !== 'object' || manifest === null) throw invalid(name, 'it is not a JSON object');
  const { format, chain_id: chainId, tip, parts } = manifest;
  if (format !== FORMAT) throw invalid(name, `its format is not ${FORMAT}, so another version of stxpress made it`);
  if (chainId !== null && !isWhole(chainId, MAX_HEIGHT)) throw invalid(name, 'chain_id is not a chain id');
  if (!isWhole(tip?.block_height, MAX_HEIGHT) || !isHash(tip.index_block_hash, BLOCK_HASH))
    throw invalid(name, 'tip is not a block');
  if (!Array.isArray(parts) || parts.length === 0) throw invalid(name, 'it has no parts');
  let before: SeedPart | undefined;
  let highest = 0;
  for (const [index, part] of (parts as (SeedPart | null)[]).entries()) {
    if (!isPart(part)) throw invalid(name, `part ${index + 1} lacks a member`);
    const { file, first, last, sha256, bytes, text_bytes: textBytes } = part;
    if (file !== seedPartName(first, last, sha256))
      throw invalid(name, `part ${index + 1} has the wrong file name ${quote(file)}`);
    if (part.hash !== addToHash(before?.hash ?? '', part))
      throw invalid(name, `the hash of part ${index + 1} is wrong`);
    if (bytes > MAX_PART_BYTES || textBytes > MAX_TEXT_BYTES) throw invalid(name, `part ${index + 1} is too large`);
    const problem = findContradiction(part, before);
    if (problem !== undefined) throw invalid(name, `part ${index + 1} ${problem}`);
    before = part;
    highest = Math.max(highest, last);
  }
  if (highest !== tip.block_height) throw invalid(name, 'no part ends at the tip');
  return manifest as SeedManifest;
}

/** Returns how the members of a part contradict each other, or the part before it; undefined if they do not. */
function findContradiction(
  { first, last, is_final: isFinal, blocks, text_bytes: textBytes }: SeedPart,
  before: SeedPart | undefined,
): string | undefined {
  if (first > last) return 'ends below its first height';
  if (blocks === 0 || textBytes === 0) return 'has no blocks';
  if (!isFinal) return undefined;
  if (blocks > last - first + 1) return 'has more blocks than heights';
  if (before?.is_final === false) return 'is final, but follows a part that is not';
  return before !== undefined && first <= before.last ? 'begins below the end of the part before it' : undefined;
}

function invalid(name: string, reason: string): FailureError {
  return stop(
    'seed-invalid',
    `${name} is not the manifest of a seed: ${reason}. Nothing was changed. Delete it and make the seed again, or ask its operator to.`,
  );
}

function isPart(part: SeedPart | null): part is SeedPart {
  if (typeof part !== 'object' || part === null) return false;
  return (
    typeof part.file === 'string' &&
    typeof part.is_final === 'boolean' &&
    isWhole(part.first, MAX_HEIGHT) &&
    isWhole(part.last, MAX_HEIGHT) &&
    isWhole(part.blocks, Number.MAX_SAFE_INTEGER) &&
    isWhole(part.bytes, Number.MAX_SAFE_INTEGER) &&
    isWhole(part.text_bytes, Number.MAX_SAFE_INTEGER) &&
    isHash(part.index_block_hash, BLOCK_HASH) &&
    isHash(part.sha256, HASH) &&
    isHash(part.hash, HASH)
  );
}

function isWhole(value: unknown, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
}

function isHash(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}
