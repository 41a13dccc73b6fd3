// Indexes a seed: reads the parts whose blocks the index does not have.
import { runAhead } from '#concurrency/run-ahead.ts';
import { SEED_PART_PATH } from '#layout/data-files.ts';
import type { SeedManifest, SeedPart } from '#layout/seed-manifest.ts';
import { areOtherChains } from '#model/chain.ts';
import { type Failure, FailureError, isFailure, stop } from '#model/failure.ts';
import { openArchiveThreads } from '#source/event-archive/read-archive.ts';
import type { SeedSource } from '#source/seed/open-seed.ts';
import { deleteArchives, readUnfinishedArchives } from '#store/chain/archives.ts';
import { hasBlock } from '#store/chain/blocks.ts';
import { readLowestGap } from '#store/chain/gaps.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { count, formatBytes, formatCount } from '#text/format-count.ts';
import type { IndexOptions, SeedOptions } from '../index-options.ts';
import { type ArchiveSummary, addToSummary, emptySummary, indexArchive } from './index-archive.ts';
import { otherChain } from './other-chain.ts';
import type { ReorgGuard } from './reorg-guard.ts';

type Options = Pick<IndexOptions, 'nft' | 'maxNftTokens' | 'finalBlocks' | 'reporter' | 'signal'> & {
  readonly guard?: ReorgGuard;
};

/** The settings of a seed that was not read to its end. */
export type SeedToContinue = Pick<SeedOptions, 'location' | 'hash'>;

/** The number of parts to download ahead of the part that is read. */
const AHEAD = 3;
/** The number of times to read the manifest again because a part of it was replaced. */
const MAX_RELOADS = 3;

/** Throws FailureError: `seed-invalid`, `seed-refused`, `other-chain`, or a failure of the network. */
export async function indexSeed(store: Store, seed: SeedOptions, options: Options): Promise<ArchiveSummary> {
  const summary = emptySummary();
  for (let reloads = 0; ; reloads++) {
    const { manifest, parts } = await readSeed(reloads === 0 ? seed : { ...seed, manifest: undefined });
    await checkManifest(store, manifest, seed.source);
    // A run without a source continues with this seed.
    const { location, hash } = seed;
    await writeInfo(store, { seed: JSON.stringify({ location, hash } satisfies SeedToContinue) });
    const failure = await readParts(store, { manifest, parts }, seed, { ...options, isFirst: reloads === 0 }, summary);
    if (options.signal.aborted) return summary;
    if (failure === undefined) {
      await deleteArchives(store, SEED_PART_PATH);
      await writeInfo(store, { seed: undefined });
      await seed.source.close(seed.folder);
      return summary;
    }
    if (failure.code !== 'http-404' || reloads === MAX_RELOADS) throw new FailureError(failure);
  }
}

/** Reads the manifest. Throws FailureError, also for a seed without the expected hash. */
export async function readSeed(seed: Pick<SeedOptions, 'source' | 'hash' | 'manifest'>) {
  const manifest = seed.manifest ?? (await seed.source.readManifest());
  return { manifest, parts: pinnedParts(manifest, seed) };
}

/** Reads the parts that are not indexed yet. Returns a failure if one cannot be read. */
async function readParts(
  store: Store,
  { manifest, parts }: { readonly manifest: SeedManifest; readonly parts: readonly SeedPart[] },
  { source, folder }: SeedOptions,
  options: Options & { readonly isFirst: boolean },
  summary: ArchiveSummary,
): Promise<Failure | undefined> {
  const { reporter, signal, isFirst } = options;
  const missing: SeedPart[] = [];
  for (const part of parts) if (await lacksBlocks(store, part)) missing.push(part);
  if (missing.length === 0) {
    reporter.info(`The index has all blocks of the seed ${source.name}.`);
    return undefined;
  }
  const total = missing.reduce((sum, { bytes }) => sum + bytes, 0);
  const some = `${formatCount(missing.length)} of ${count(parts.length, 'part')}`;
  if (isFirst) reporter.info(`The seed ${source.name} has ${some} to read: ${formatBytes(total)}.`);
  let done = 0;
  await using threads = openArchiveThreads();
  const fetchPart = async (part: SeedPart) => ({
    part,
    path: signal.aborted ? undefined : await source.readPart(part, folder),
  });
  for await (const { part, path } of runAhead(missing, source.isRemote ? AHEAD : 0, fetchPart)) {
    if (signal.aborted || path === undefined) break;
    if (isFailure(path)) return path;
    const report = (readText: number) => {
      const readBytes = Math.round((part.bytes * readText) / part.text_bytes);
      const detail = `up to height ${formatCount(part.last)}`;
      reporter.progress({ task: 'seed', done: done + readBytes, total, unit: 'bytes', detail });
    };
    const before = parts[parts.indexOf(part) - 1];
    const fromSeed = { part, before, chainId: manifest.chain_id ?? undefined, threads, report };
    const read = await indexArchive(store, { ...options, path, fromSeed, skipBroken: false });
    addToSummary(summary, read);
    if (signal.aborted) break;
    if (part.is_final && read.refusedBlocks > 0) throw otherBlocks(part, source);
    await source.removePart(part, folder);
    done += part.bytes;
  }
  return undefined;
}

async function checkManifest(store: Store, { chain_id: chainId }: SeedManifest, { name }: SeedSource): Promise<void> {
  const { anyChainId: held } = await readInfo(store);
  if (chainId !== null && held !== undefined && areOtherChains(chainId, held)) throw otherChain(name, chainId, held);
}

/** Returns the parts up to the one with the expected hash; all parts without an expected hash. */
function pinnedParts(
  { parts }: SeedManifest,
  { source, hash }: Pick<SeedOptions, 'source' | 'hash'>,
): readonly SeedPart[] {
  if (hash === undefined) return parts;
  const at = parts.findIndex((part) => part.hash === hash);
  if (at !== -1) return parts.slice(0, at + 1);
  throw stop(
    'seed-refused',
    `No part of the seed ${source.name} has the hash ${hash} of --seed-hash. Its last one, up to height ` +
      `${formatCount(parts.at(-1)?.last ?? 0)}, has ${parts.at(-1)?.hash}. Nothing was read from it. Ask for the hash again.`,
  );
}

/** The height of a gap in which only the genesis block is missing, as in most seeds. */
const GENESIS_GAP = 1;

/** True if the index lacks the last block of a part, did not read the part to its end, or has a gap among its blocks. */
async function lacksBlocks(store: Store, part: SeedPart): Promise<boolean> {
  const { file, first, last, index_block_hash: hash, is_final: isFinal } = part;
  const unfinished = await readUnfinishedArchives(store);
  if (unfinished.some(({ name }) => name.endsWith(file))) return true;
  const gap = await readLowestGap(store, Math.max(first - 1, GENESIS_GAP));
  if (gap !== undefined && gap <= last) return true;
  // The index refuses forks below its final blocks.
  if (!isFinal && last <= ((await readInfo(store)).finalHeight ?? -1)) return false;
  return !(await hasBlock(store, hash, first, last));
}

/** Creates the error for a part whose blocks the index refused. */
function otherBlocks({ first, last }: SeedPart, { name }: SeedSource): FailureError {
  return stop(
    'seed-refused',
    `The seed ${name} has other blocks than the index between the heights ${formatCount(first)} and ` +
      `${formatCount(last)}, where the blocks of the index are final. They were not stored. Compare both with another ` +
      'source. To use the chain of the seed, make a new index of it.',
  );
}
