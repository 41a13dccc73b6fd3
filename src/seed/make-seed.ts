// Makes a seed from an index and its archives: an event archive in parts, with only the data that an index reads. Keeps
// the parts of an earlier seed that have not changed.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { makeFolder, syncNames, writeAtomically } from '#files/write-atomically.ts';
import { SEED_MANIFEST, SEED_PART_NAME } from '#layout/seed-files.ts';
import { addToHash, FORMAT, formatManifest, type SeedManifest, type SeedPart } from '#layout/seed-manifest.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { checkEarlier, findKept, readEarlier } from './earlier-seed.ts';
import { type MakeOptions, makeRanges, type UnhashedPart } from './make-ranges.ts';
import { planRanges, type RangeSizes } from './plan-ranges.ts';
import { readChain } from './read-chain.ts';

interface SeedOptions extends Pick<MakeOptions, 'archives' | 'out' | 'reporter' | 'signal'> {
  readonly siteHash: string | undefined;
  /** Substituted in tests. */
  readonly sizes?: RangeSizes;
}

export interface MadeSeed {
  readonly manifest: SeedManifest;
  readonly written: number;
  readonly writtenBytes: number;
  readonly kept: number;
}

/**
 * Makes a seed in a folder. Throws FailureError: `seed-incomplete` if a block of the index is in no archive,
 * `seed-refused` if the folder has the seed of a newer index.
 */
export async function makeSeed(store: StoreReader, options: SeedOptions): Promise<MadeSeed> {
  const { out, siteHash } = options;
  const chain = await readChain(store);
  const chainId = (await readInfo(store)).chainId ?? null;
  await makeFolder(out);
  const earlier = readEarlier(out);
  if (earlier !== undefined) await checkEarlier(earlier, chain, chainId, out);
  const ranges = planRanges({ ...chain, tip: chain.tip.height }, options.sizes);
  const kept = await findKept(ranges, earlier, chain, out);
  const parts = new Map(kept);
  const describe = (upTo: readonly UnhashedPart[], site?: string): SeedManifest => {
    const hashed = addHashes(upTo);
    const { last, index_block_hash } = hashed.at(-1) as SeedPart;
    const tip = { block_height: last, index_block_hash };
    return {
      format: FORMAT,
      chain_id: chainId,
      tip,
      ...(site === undefined ? {} : { site_hash: site }),
      parts: hashed,
    };
  };
  const open = ranges.filter((range) => !kept.has(range));
  for await (const made of makeRanges(store, chain, { ...options, open, earlier, chainId: chainId ?? undefined })) {
    parts.set(made.range, made.parts);
    // A run that is killed continues with this manifest, which has the parts up to the first missing one.
    const end = ranges.findIndex((range) => !parts.has(range));
    const complete = end === -1 ? [] : ranges.slice(0, end).flatMap((range) => parts.get(range) ?? []);
    if ((complete.at(-1)?.last ?? -1) >= (earlier?.tip.block_height ?? 0)) await writeManifest(out, describe(complete));
  }
  const manifest = describe(
    ranges.flatMap((range) => parts.get(range) ?? []),
    siteHash,
  );
  await writeManifest(out, manifest);
  await removeOther(out, manifest);
  const known = new Set([...kept.values()].flat().map(({ file }) => file));
  const written = manifest.parts.filter(({ file }) => !known.has(file));
  return {
    manifest,
    written: written.length,
    writtenBytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
    kept: known.size,
  };
}

function addHashes(parts: readonly UnhashedPart[]): SeedPart[] {
  let hash = '';
  return parts.map((part) => {
    hash = addToHash(hash, part);
    const { file, first, last, index_block_hash, is_final, blocks, orphans, bytes, text_bytes, sha256 } = part;
    return { file, first, last, index_block_hash, is_final, blocks, orphans, bytes, text_bytes, sha256, hash };
  });
}

async function writeManifest(out: string, manifest: SeedManifest): Promise<void> {
  const path = join(out, SEED_MANIFEST);
  const text = formatManifest(manifest);
  if (readIfExists(path)?.toString() === text) return;
  // The names of the parts must be on the disk before the manifest that lists them.
  await syncNames(out);
  await writeAtomically(path, text, { temporaryPath: join(out, '.manifest.tmp'), isDurable: true });
  await syncNames(out);
}

/** Removes the parts that the manifest does not list. */
async function removeOther(out: string, { parts }: SeedManifest): Promise<void> {
  const listed = new Set(parts.map(({ file }) => file));
  for (const name of await readdir(out))
    if (SEED_PART_NAME.test(name) && !listed.has(name)) await rm(join(out, name), { force: true });
}
