// Reads the seed that an earlier run made, and finds its parts that are unchanged.
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing, readIfExists, readIntact } from '#files/read-if-exists.ts';
import { SEED_MANIFEST, SEED_PART_NAME } from '#layout/seed-files.ts';
import { MAX_MANIFEST_BYTES, parseManifest, type SeedManifest, type SeedPart } from '#layout/seed-manifest.ts';
import { formatChainId } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { formatCount } from '#text/format-count.ts';
import type { UnhashedPart } from './make-ranges.ts';
import type { Range } from './plan-ranges.ts';
import type { SeededChain } from './read-chain.ts';

/** Throws FailureError `out-foreign` for a folder with files that do not belong to a seed. */
export async function checkSeedFolder(out: string): Promise<void> {
  const isOwn = (name: string) => name === SEED_MANIFEST || name.startsWith('.') || SEED_PART_NAME.test(name);
  const names = (await readdir(out).catch(ignoreMissing)) ?? [];
  const foreign = names.find((name) => !isOwn(name));
  if (foreign !== undefined)
    throw stop(
      'out-foreign',
      `${out} contains ${foreign}, which does not belong to a seed. Choose an empty folder with --out.`,
    );
}

/** Reads the manifest of an earlier seed. */
export function readEarlier(out: string): SeedManifest | undefined {
  const path = join(out, SEED_MANIFEST);
  const text = readIfExists(path, MAX_MANIFEST_BYTES);
  return text && parseManifest(text.toString(), path);
}

/** Throws FailureError if the index cannot continue the seed in the folder. */
export async function checkEarlier(
  { chain_id: earlier, tip, parts }: SeedManifest,
  chain: SeededChain,
  chainId: number | null,
  out: string,
): Promise<void> {
  const name = (id: number | null) => (id === null ? 'an unknown chain' : `chain ${formatChainId(id)}`);
  if (earlier !== null && earlier !== chainId)
    throw stop(
      'other-chain',
      `${out} has the seed of ${name(earlier)}, but the index holds ${name(chainId)}. Nothing was changed. Choose ` +
        'another folder with --out.',
    );
  const refuse = (what: string) =>
    stop(
      'seed-refused',
      `${out} ${what}. Nothing was changed. Update the index first, or choose another folder with --out.`,
    );
  if (tip.block_height > chain.tip.height)
    throw refuse(
      `has a seed up to height ${formatCount(tip.block_height)}, but the index ends at ${formatCount(chain.tip.height)}`,
    );
  for (const { last, is_final: isFinal, index_block_hash: top } of parts)
    if (isFinal && (await chain.topUpTo(last)) !== top)
      throw refuse(`has a seed whose final block at height ${formatCount(last)} is not in the index`);
}

/** Returns the ranges whose parts in the earlier seed are unchanged, with these parts. */
export async function findKept(
  ranges: readonly Range[],
  earlier: SeedManifest | undefined,
  chain: SeededChain,
  out: string,
): Promise<Map<Range, readonly UnhashedPart[]>> {
  const kept = new Map<Range, readonly UnhashedPart[]>();
  for (const range of earlier === undefined ? [] : ranges) {
    const { first, last, isFinal } = range;
    const parts = (earlier?.parts ?? []).filter((part) => part.first >= first && part.last <= last);
    const isWhole =
      parts[0]?.first === first &&
      parts.at(-1)?.last === last &&
      parts.every((part) => part.is_final === isFinal && isIntact(join(out, part.file), part));
    if (isWhole && (isFinal || (await hasSameBlocks(range, parts, chain)))) kept.set(range, parts);
  }
  return kept;
}

/** True if the index has the same blocks as the parts of a range, as far as their numbers and the highest show. */
async function hasSameBlocks(range: Range, parts: readonly SeedPart[], chain: SeededChain): Promise<boolean> {
  const sum = (key: 'blocks' | 'orphans') => parts.reduce((total, part) => total + part[key], 0);
  return (
    (await chain.topUpTo(range.last)) === parts.at(-1)?.index_block_hash &&
    (await chain.countBlocks(range)) === sum('blocks') &&
    chain.countOrphans(range) === sum('orphans')
  );
}

/** Hashes only parts that are not final, since final parts have gigabytes. A build hashes the parts that it adds. */
function isIntact(path: string, { bytes, sha256, is_final: isFinal }: SeedPart): boolean {
  return isFinal ? statSync(path, { throwIfNoEntry: false })?.size === bytes : readIntact(path, sha256) !== undefined;
}
