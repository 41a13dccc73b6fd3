// Indexes a seed: reads the parts whose blocks the index does not have.
import { runAhead } from '#concurrency/run-ahead.ts';
import { SEED_PART_PATH } from '#layout/seed-files.ts';
import { NO_BLOCK, type SeedManifest, type SeedPart } from '#layout/seed-manifest.ts';
import { areOtherChains } from '#model/chain.ts';
import { type Failure, FailureError, isFailure, stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { openArchiveThreads } from '#source/event-archive/read-archive.ts';
import type { SeedSource } from '#source/seed/open-seed.ts';
import { deleteArchives, readUnfinishedArchives } from '#store/chain/archives.ts';
import { countBetween, readBlockBelow, readTip, searchBlocks } from '#store/chain/blocks.ts';
import type { Store } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { formatBytes, formatCount } from '#text/format-count.ts';
import type { IndexOptions, KnownSeed, SeedOptions } from '../index-options.ts';
import { forged } from './check-part.ts';
import { type ArchiveSummary, addToSummary, emptySummary, indexArchive } from './index-archive.ts';
import { otherChain } from './other-chain.ts';
import type { ReorgGuard } from './reorg-guard.ts';

type Options = Pick<IndexOptions, 'nft' | 'maxNftTokens' | 'finalBlocks' | 'reporter' | 'signal'> & {
  readonly guard?: ReorgGuard;
};

/** The settings of a seed that was not read to its end. */
export interface SeedToContinue extends Pick<SeedOptions, 'location' | 'hash' | 'allowOlder'> {
  /** The reason why runs do not read the seed again, unless they name it. */
  readonly failure?: string | undefined;
}

export function formatSeedToContinue({ location, hash, allowOlder }: SeedOptions, failure?: string): string {
  return JSON.stringify({ location, hash, allowOlder, failure } satisfies SeedToContinue);
}

/** The number of parts to download ahead of the part that is read. */
const AHEAD = 3;
/** The number of times to read the manifest again because a part of it was replaced. */
const MAX_RELOADS = 3;
/** Rates that most machines and connections reach, for an estimate: text that is indexed, and bytes that are sent. */
const TEXT_BYTES_PER_SECOND = 50_000_000;
const BYTES_PER_SECOND = 10_000_000;

/** Throws FailureError: `seed-invalid`, `seed-refused`, `other-chain`, or a failure of the network. */
export async function indexSeed(store: Store, seed: SeedOptions, options: Options): Promise<ArchiveSummary> {
  const summary = emptySummary();
  for (let reloads = 0; ; reloads++) {
    const { manifest, parts } = await readSeed(reloads === 0 ? seed : { ...seed, manifest: undefined });
    await checkManifest(store, manifest, seed);
    if (reloads === 0) compareKnown(manifest, seed.known, options.reporter);
    // A run without a source continues with this seed.
    await writeInfo(store, { seed: formatSeedToContinue(seed) });
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
  for (const part of parts) if (!(await isIndexed(store, part))) missing.push(part);
  if (missing.length === 0) {
    reporter.info(`The index has all blocks of the seed ${source.name}.`);
    return undefined;
  }
  const downloaded = missing.filter((part) => source.hasPart(part, folder));
  if (isFirst) reporter.info(describe(source, { all: parts.length, missing, downloaded }));
  const total = missing.reduce((sum, { bytes }) => sum + bytes, 0);
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
    const fromSeed = { part, chainId: manifest.chain_id ?? undefined, threads, report };
    const read = await indexArchive(store, { ...options, path, fromSeed, skipBroken: false });
    addToSummary(summary, read);
    if (signal.aborted) break;
    await checkRead(store, part, source, read.refusedBlocks);
    await source.removePart(part, folder);
    done += part.bytes;
  }
  return undefined;
}

async function checkManifest(store: Store, manifest: SeedManifest, { source, allowOlder }: SeedOptions): Promise<void> {
  const { chain_id: chainId, tip } = manifest;
  const { anyChainId: held } = await readInfo(store);
  if (chainId !== null && held !== undefined && areOtherChains(chainId, held))
    throw otherChain(source.name, chainId, held);
  const height = (await readTip(store))?.height ?? 0;
  if (tip.block_height >= height || allowOlder) return;
  throw stop(
    'seed-refused',
    `The seed ${source.name} ends at height ${formatCount(tip.block_height)}, but the index has blocks up to ` +
      `${formatCount(height)}. Nothing was read from it. Run the command again when the seed was updated, or read it ` +
      'with --allow-older.',
  );
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

/** Reports if the seed has the hashes of known seeds. */
function compareKnown(
  { chain_id: chainId, parts }: SeedManifest,
  known: readonly KnownSeed[],
  reporter: Reporter,
): void {
  for (const { height, hash, computed_by: by } of known.filter((seed) => seed.chain_id === chainId)) {
    const part = parts.find(({ last }) => last === height);
    if (part === undefined) continue;
    const upTo = `Up to height ${formatCount(height)}, the seed`;
    if (part.hash === hash) reporter.info(`${upTo} has the hash of the known seed, which was computed by ${by}.`);
    else
      reporter.warn(
        `${upTo} has another hash than the known seed, which was computed by ${by}. Their makers may have seen other ` +
          'forks: compare both, or ask the operator.',
      );
  }
}

/** True if the index has all blocks of a part, and read them to the end. */
async function isIndexed(store: Store, part: SeedPart): Promise<boolean> {
  // Heights of a chain may be without a block.
  if (part.text_bytes === 0) return true;
  const top = await readBlockBelow(store, part.last + 1);
  if ((top?.indexBlockHash ?? NO_BLOCK) !== part.index_block_hash) return false;
  // The index refuses other blocks at the heights of final blocks.
  const isFinal = top !== undefined && top.height <= ((await readInfo(store)).finalHeight ?? -1);
  const unfinished = await readUnfinishedArchives(store);
  return (
    (await countBetween(store, part.first - 1, part.last + 1, true)) === part.blocks &&
    (isFinal || (await countBetween(store, part.first - 1, part.last + 1, false)) >= part.orphans) &&
    !unfinished.some(({ name }) => name.endsWith(part.file))
  );
}

/**
 * Throws FailureError `seed-invalid` if the index lacks blocks of a part that was read. `refused`: the number of blocks
 * that the index does not store, since another block is final.
 */
async function checkRead(
  store: Store,
  { file, first, last, index_block_hash: top, blocks, orphans }: SeedPart,
  { name }: SeedSource,
  refused: number,
): Promise<void> {
  const [found] = await searchBlocks(store, blocks === 0 ? [] : [top]);
  if (blocks > 0 && (found === undefined || found.height < first || found.height > last))
    throw forged(`The part ${file} of ${name} does not have its last block ${top}`);
  const count = (canonical: boolean) => countBetween(store, first - 1, last + 1, canonical);
  const stored = (await count(true)) + (await count(false));
  if (stored + refused < blocks + orphans)
    throw forged(`The part ${file} of ${name} has fewer blocks than its manifest states`);
}

interface PartsToRead {
  /** The number of all parts. */
  readonly all: number;
  readonly missing: readonly SeedPart[];
  /** The missing parts that an earlier run downloaded. */
  readonly downloaded: readonly SeedPart[];
}

function describe({ name, isRemote }: SeedSource, { all, missing, downloaded }: PartsToRead): string {
  const sum = (parts: readonly SeedPart[], key: 'bytes' | 'text_bytes') =>
    parts.reduce((total, part) => total + part[key], 0);
  const [bytes, text, held] = [sum(missing, 'bytes'), sum(missing, 'text_bytes'), sum(downloaded, 'bytes')];
  const seconds = Math.max(isRemote ? (bytes - held) / BYTES_PER_SECOND : 0, text / TEXT_BYTES_PER_SECOND);
  const time = seconds < 90 ? `${formatCount(Math.ceil(seconds))} s` : `${formatCount(seconds / 60)} minutes`;
  const parts = missing.length === 1 ? '1 part' : `${formatCount(missing.length)} parts`;
  const from = `The seed ${name} has ${parts} to read, of ${formatCount(all)}`;
  const already = isRemote && held > 0 ? ` ${formatBytes(held)} were downloaded before.` : '';
  const rate = isRemote && held < bytes ? ' at 10 MB a second' : '';
  return `${from}: ${formatBytes(bytes)} with ${formatBytes(text)} of text.${already} Reading takes about ${time}${rate}.`;
}
