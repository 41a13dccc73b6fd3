// Reads the seed that an earlier run made, and decides which of its parts stay.
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemFile } from '#files/folders.ts';
import { ignoreMissing, readIfExists, readIntact } from '#files/read-if-exists.ts';
import { SEED_MANIFEST, SEED_PART_NAME } from '#layout/data-files.ts';
import { MAX_MANIFEST_BYTES, parseManifest, type SeedManifest, type SeedPart } from '#layout/seed-manifest.ts';
import { formatChainId } from '#model/chain.ts';
import { stop } from '#model/failure.ts';
import { readHashes } from '#source/seed/read-hashes.ts';
import { formatCount } from '#text/format-count.ts';
import type { Range, SeededChain } from './read-chain.ts';

/** The sizes of parts. */
export interface SeedSizes {
  /** The number of heights in a range of final blocks, which has one or more parts. */
  readonly range: number;
  /** The number of blocks in a part above these ranges. */
  readonly recent: number;
}

/** With these sizes, mainnet has about 90 ranges of final blocks, and at most 110 parts above them. */
export const SEED_SIZES: SeedSizes = { range: 100_000, recent: 1_000 };

export interface SeedPlan {
  /** The parts that stay: of ranges, and of blocks above them. */
  readonly final: readonly SeedPart[];
  readonly recent: readonly SeedPart[];
  /** The ranges whose parts are made. */
  readonly open: readonly Range[];
  /** The heights of the blocks above all ranges that no part has, by hash. */
  readonly needed: ReadonlyMap<string, number>;
  /** The parts that do not stay, and whose lines are needed again. */
  readonly replaced: readonly SeedPart[];
}

/** Throws FailureError `out-foreign` for a folder with files that do not belong to a seed. */
export async function checkSeedFolder(out: string): Promise<void> {
  const isOwn = (name: string) => name === SEED_MANIFEST || SEED_PART_NAME.test(name) || name.startsWith('.');
  const names = (await readdir(out).catch(ignoreMissing)) ?? [];
  const foreign = names.find((name) => !isOwn(name) && !isSystemFile(name));
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
    if (isFinal && !(await chain.has(top, last)))
      throw refuse(`has a seed whose final block at height ${formatCount(last)} is not in the index`);
}

/** Plans a seed that continues the earlier one. */
export async function planSeed(
  chain: SeededChain,
  earlier: SeedManifest | undefined,
  { out, sizes }: { readonly out: string; readonly sizes: SeedSizes },
): Promise<SeedPlan> {
  const parts = earlier?.parts ?? [];
  const final: SeedPart[] = [];
  const open: Range[] = [];
  for (const range of chain.ranges) {
    const inRange = parts.filter((part) => part.is_final && part.first >= range.first && part.last <= range.last);
    const top = await chain.topOf(range);
    if (top === undefined) continue;
    const isWhole = inRange.at(-1)?.index_block_hash === top && inRange.every((part) => isIntact(out, part));
    if (isWhole) for (const part of inRange) final.push(part);
    else open.push(range);
  }
  const isSameEnd = open.length === 0 && final.length === parts.filter((part) => part.is_final).length;
  const { recent, needed } = await planRecent(isSameEnd ? earlier : undefined, chain, { out, sizes });
  const staying = new Set([...final, ...recent]);
  return { final, recent, open, needed, replaced: parts.filter((part) => !staying.has(part)) };
}

/** Decides which parts above the ranges stay. If the index has more blocks, a last part that is not full is made again. */
async function planRecent(
  earlier: SeedManifest | undefined,
  chain: SeededChain,
  { out, sizes }: { readonly out: string; readonly sizes: SeedSizes },
): Promise<Pick<SeedPlan, 'recent' | 'needed'>> {
  const all = earlier?.parts.filter((part) => !part.is_final) ?? [];
  const damaged = all.findIndex((part) => !isIntact(out, part));
  const recent = damaged === -1 ? all : all.slice(0, damaged);
  const blocks = recent.reduce((sum, part) => sum + part.blocks, 0);
  const isSame = blocks === chain.recent.size && earlier?.tip.index_block_hash === chain.tip.indexBlockHash;
  if (isSame && damaged === -1) return { recent, needed: new Map() };
  const needed = new Map(chain.recent);
  let blocksOfLast: string[] = [];
  for (const { file } of recent) {
    blocksOfLast = await readHashes(join(out, file));
    for (const hash of blocksOfLast) needed.delete(hash);
  }
  if (needed.size === 0 || (recent.at(-1)?.blocks ?? sizes.recent) >= sizes.recent) return { recent, needed };
  for (const hash of blocksOfLast) {
    const height = chain.recent.get(hash);
    if (height !== undefined) needed.set(hash, height);
  }
  return { recent: recent.slice(0, -1), needed };
}

/** Hashes only parts that are not final, since final parts have gigabytes. A build hashes the parts that it adds. */
function isIntact(out: string, { file, bytes, sha256, is_final: isFinal }: SeedPart): boolean {
  const path = join(out, file);
  return isFinal ? statSync(path, { throwIfNoEntry: false })?.size === bytes : readIntact(path, sha256) !== undefined;
}
