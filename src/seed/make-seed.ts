// Makes a seed from an index and its archives: an event archive in parts, with only the data that an index reads. Keeps
// the parts of an earlier seed that have not changed.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { makeFolder, syncNames, writeAtomically } from '#files/write-atomically.ts';
import { SEED_MANIFEST, SEED_PART_NAME } from '#layout/data-files.ts';
import { addToHash, FORMAT, formatManifest, type SeedManifest, type SeedPart } from '#layout/seed-manifest.ts';
import type { FailureError } from '#model/failure.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { formatCount } from '#text/format-count.ts';
import { inOrder } from './in-order.ts';
import { PartWriter, type SeedLine, type WrittenPart } from './part-writer.ts';
import { checkEarlier, planSeed, readEarlier, SEED_SIZES, type SeedPlan, type SeedSizes } from './plan-seed.ts';
import { incomplete, readChain, type SeededChain } from './read-chain.ts';
import { openLines, type ReadOptions } from './read-lines.ts';

interface SeedOptions extends ReadOptions {
  /** Substituted in tests. */
  readonly sizes?: SeedSizes;
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
  const { out, sizes = SEED_SIZES } = options;
  const chain = await readChain(store, sizes.range);
  const { chainId } = await readInfo(store);
  await makeFolder(out);
  const earlier = readEarlier(out);
  if (earlier !== undefined) await checkEarlier(earlier, chain, chainId ?? null, out);
  const plan = await planSeed(chain, earlier, { out, sizes });
  const describe = (parts: readonly WrittenPart[], tip: SeedManifest['tip']): SeedManifest => ({
    format: FORMAT,
    chain_id: chainId ?? null,
    tip,
    parts: addHashes(parts),
  });
  let made: MadeParts = { final: plan.final, recent: plan.recent };
  if (plan.open.length > 0 || plan.needed.size > 0)
    for await (made of makeParts(store, chain, plan, { ...options, sizes })) {
      // A run that is killed continues with this manifest.
      const { last = -1, index_block_hash: hash = '' } = made.final.at(-1) ?? {};
      if (last > (earlier?.tip.block_height ?? -1))
        await writeManifest(out, describe(made.final, { block_height: last, index_block_hash: hash }));
    }
  const tip = { block_height: chain.tip.height, index_block_hash: chain.tip.indexBlockHash };
  const manifest = describe([...made.final, ...made.recent], tip);
  await writeManifest(out, manifest);
  await removeOther(out, manifest);
  const known = new Set([...plan.final, ...plan.recent].map(({ file }) => file));
  const written = manifest.parts.filter(({ file }) => !known.has(file));
  return {
    manifest,
    written: written.length,
    writtenBytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
    kept: manifest.parts.length - written.length,
  };
}

interface MadeParts {
  readonly final: readonly WrittenPart[];
  readonly recent: readonly WrittenPart[];
}

/** Writes the parts that do not stay. Yields all parts so far after each range, and at the end. */
async function* makeParts(
  store: StoreReader,
  chain: SeededChain,
  plan: SeedPlan,
  options: ReadOptions & { readonly sizes: SeedSizes },
): AsyncGenerator<MadeParts> {
  const { out, sizes, reporter } = options;
  const recent = new PartWriter(out, '.recent.tmp', false);
  const final = new PartWriter(out, '.final.tmp', true);
  const lines = openLines(store, chain, plan, options);
  const ordered = inOrder(() => lines.read(writeRecent));
  let finalParts: WrittenPart[] = [...plan.final];
  try {
    for (const { first, last } of plan.open) {
      for await (const { height } of chain.canonicalFrom(first)) {
        if (height > last) break;
        lines.from = height;
        const line = await ordered.take(height);
        if (line === undefined) throw missing(height);
        await final.endIfFull();
        await final.write(line);
      }
      await final.end();
      finalParts = [...plan.final, ...final.parts].sort((left, right) => left.first - right.first);
      yield { final: finalParts, recent: [] };
    }
    lines.from = Number.POSITIVE_INFINITY;
    await ordered.finish();
    if (lines.left.size > 0) throw missing(lines.left.values().reduce((low, height) => Math.min(low, height)));
    await recent.end();
    yield { final: finalParts, recent: [...plan.recent, ...recent.parts] };
  } finally {
    await ordered.close();
    await final.discard();
    await recent.discard();
    if (lines.misnamed > 0)
      reporter.warn(
        `Transactions left out of the seed because their bytes have another id: ${formatCount(lines.misnamed)}.`,
      );
  }

  async function writeRecent(line: SeedLine): Promise<void> {
    if (recent.blocks >= sizes.recent) await recent.end();
    else await recent.endIfFull();
    await recent.write(line);
  }
}

function missing(height: number): FailureError {
  return incomplete(
    `The archives lack a block of the index at height ${formatCount(height)}`,
    'Name all archives that the index was made from, with --archive. The parts below that height are kept.',
  );
}

function addHashes(parts: readonly WrittenPart[]): SeedPart[] {
  let hash = '';
  return parts.map((part) => {
    const { file, first, last, index_block_hash, is_final, blocks, bytes, text_bytes, sha256 } = part;
    hash = addToHash(hash, part);
    return { file, first, last, index_block_hash, is_final, blocks, bytes, text_bytes, sha256, hash };
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
