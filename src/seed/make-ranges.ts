// Reads the archives of an index, and writes the parts of the ranges whose blocks are complete.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import QuickLRU from 'quick-lru';
import { freeCalls, namesOfCallee } from '#clarity/packed-calls.ts';
import { findWritingFunctionsOf, type Writing } from '#clarity/writing-functions.ts';
import { readIntact } from '#files/read-if-exists.ts';
import type { SeedManifest, SeedPart } from '#layout/seed-manifest.ts';
import { type FailureError, stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { cutArchive } from '#source/event-archive/cut-archive.ts';
import { archiveName, isFile } from '#source/event-archive/open-archive.ts';
import type { CutPayload, CutTransaction } from '#source/observer/cut-payload.ts';
import { formatPayload } from '#source/seed/seed-line.ts';
import { readSources } from '#store/chain/deploys.ts';
import type { StoreReader } from '#store/index-database.ts';
import { formatCount } from '#text/format-count.ts';
import { PartWriter, type WrittenPart } from './part-writer.ts';
import type { Range } from './plan-ranges.ts';
import { RangeLines } from './range-lines.ts';
import { incomplete, type SeededChain } from './read-chain.ts';

/** A part without its hash, which depends on the parts below it. */
export type UnhashedPart = Omit<SeedPart, 'hash'>;

const WORK_FOLDER = '.work';
/** The minimum number of functions, and of contracts, to remember. */
const MAX_FUNCTIONS = 100_000;
const MAX_CONTRACTS = 1_000;

interface MadeRange {
  readonly range: Range;
  readonly parts: readonly UnhashedPart[];
}

export interface MakeOptions {
  /** Paths of the archives that the index was made from, in the order of the chain. */
  readonly archives: readonly string[];
  readonly out: string;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** The ranges to make. */
  readonly open: readonly Range[];
  readonly earlier: SeedManifest | undefined;
  readonly chainId: number | undefined;
}

/** Yields the parts of each range when all its lines were found. */
export async function* makeRanges(store: StoreReader, chain: SeededChain, options: MakeOptions) {
  const { out, open, earlier, chainId, reporter, signal } = options;
  const work = join(out, WORK_FOLDER);
  await rm(work, { recursive: true, force: true });
  if (open.length === 0) return;
  await mkdir(work);
  const ranges = new Map<Range, RangeLines>();
  const budget = { heldBytes: 0 };
  for (const range of open)
    ranges.set(range, new RangeLines(join(work, `${range.first}.tsv`), range, await chain.expect(range), budget));
  const place = placeLines(store, chain, ranges);
  const written = writeRanges(chain, ranges, out);
  try {
    const isOpen = (part: SeedPart) =>
      part.text_bytes > 0 && open.some(({ first, last }) => part.first <= last && part.last >= first);
    const parts = (earlier?.parts ?? []).filter(isOpen);
    const foreign: string[] = [];
    for await (const path of orderArchives(options, parts)) {
      const before = place.known;
      for await (const { payloads, readBytes: done, totalBytes: total } of cutArchive(path, chainId)) {
        for (const payload of payloads) {
          const range = await place.add(payload);
          if (range !== undefined) yield* written.takeFrom(range);
        }
        if (signal.aborted) throw stop('interrupted', 'The seed was interrupted. Run the command again to continue.');
        const detail = `${formatCount(ranges.size)} ranges left`;
        reporter.progress({ task: 'seed', done, ...(total === undefined ? {} : { total }), unit: 'bytes', detail });
        if (ranges.size === 0) return;
      }
      if (place.known === before) foreign.push(archiveName(path));
    }
    for (const range of ranges.values()) {
      const missing = range.missingAt;
      if (missing !== undefined) throw await explainMissing(missing, chain, foreign);
    }
    yield* written.takeRest();
  } finally {
    await written.discard();
    for (const range of ranges.values()) range.close();
    await rm(work, { recursive: true, force: true });
    if (place.misnamed > 0)
      reporter.warn(
        `Transactions left out of the seed because their bytes have another id: ${formatCount(place.misnamed)}.`,
      );
  }
}

/**
 * Yields the intact parts of the earlier seed, then the archives from the last one that begins at or below the lowest
 * height, then the other archives. The caller stops when it has all blocks.
 */
async function* orderArchives(
  { out, archives, open, chainId, reporter }: MakeOptions,
  parts: readonly SeedPart[],
): AsyncGenerator<string> {
  const lowest = open[0]?.first ?? 0;
  for (const part of parts) {
    const path = join(out, part.file);
    if (readIntact(path, part.sha256) !== undefined) yield path;
    else
      reporter.warn(`The part ${path} of the earlier seed is missing or damaged. It is made again from the archives.`);
  }
  let first = archives.length - 1;
  const isAbove = async (path: string) => isFile(path) && ((await firstHeight(path, chainId)) ?? 0) > lowest;
  while (first > 0 && (await isAbove(archives[first] ?? ''))) first--;
  yield* archives.slice(Math.max(first, 0));
  yield* archives.slice(0, Math.max(first, 0));
}

/** Returns the height of the first block; undefined if the beginning of the archive has no block. */
async function firstHeight(path: string, chainId: number | undefined): Promise<number | undefined> {
  for await (const { payloads } of cutArchive(path, chainId))
    return payloads.find(({ kind }) => kind === 'block')?.head.height;
  return undefined;
}

/** Returns a function that cuts payloads further, to the calls that are needed, and adds them to their ranges. */
function placeLines(store: StoreReader, chain: SeededChain, ranges: ReadonlyMap<Range, RangeLines>) {
  const needed = new QuickLRU<string, boolean>({ maxSize: MAX_FUNCTIONS });
  const contracts = new QuickLRU<string, ReadonlyMap<string, Writing>>({ maxSize: MAX_CONTRACTS });
  let order = 0;
  let last: RangeLines | undefined;
  const isIn = ({ range }: RangeLines, height: number) => height >= range.first && height <= range.last;
  const rangeAt = (height: number) => {
    if (last === undefined || !ranges.has(last.range) || !isIn(last, height))
      last = ranges.values().find((range) => isIn(range, height));
    return last;
  };
  /** `known`: the number of payloads that belong to a block of the index. */
  const placed = { misnamed: 0, known: 0, add };
  return placed;

  /** Returns the range to which a line was added. */
  async function add(payload: CutPayload): Promise<RangeLines | undefined> {
    const { kind, head } = payload;
    const place =
      kind === 'block'
        ? await chain.placeOf(head.indexBlockHash, head.height)
        : chain.placeOfMicroblocks(head.parentIndexBlockHash);
    if (place === undefined) return undefined;
    placed.known++;
    const range = rangeAt(place.height);
    if (range === undefined) return undefined;
    placed.misnamed += payload.misnamed;
    const chosen = await choose(payload);
    if (kind === 'microblocks' && chosen.length === 0) return undefined;
    const line = chosen.length === 0 ? undefined : formatPayload(payload, chosen);
    range.add(payload, { ...place, order: order++ }, line);
    return range;
  }

  async function choose({ transactions }: CutPayload): Promise<CutTransaction[]> {
    const chosen: CutTransaction[] = [];
    for (const transaction of transactions) {
      const { callee, eventsStart, eventsEnd } = transaction;
      if (callee === undefined || eventsStart < eventsEnd || chain.hasGap) chosen.push(transaction);
      else if (needed.get(callee) ?? (await mayWrite(callee))) chosen.push(transaction);
    }
    return chosen;
  }

  /** True for a callee that an index records, since it may write a variable. A contract without known code may. */
  async function mayWrite(callee: string): Promise<boolean> {
    const { contractId, functionName } = namesOfCallee(callee);
    const functions = contracts.get(contractId) ?? findWritingFunctionsOf(await readSources(store, contractId, 'all'));
    if (functions !== undefined) contracts.set(contractId, functions);
    const isNeeded = functions === undefined || functions.has(functionName);
    needed.set(callee, isNeeded);
    return isNeeded;
  }
}

/**
 * Returns functions that write the lines of ranges to parts, one range at a time, since a compressor needs much memory.
 */
function writeRanges(chain: SeededChain, ranges: Map<Range, RangeLines>, out: string) {
  let current: { readonly lines: RangeLines; readonly writer: PartWriter } | undefined;
  return { takeFrom, takeRest, discard: async () => current?.writer.discard() };

  /** Writes the next lines of a range. Yields the range if it is done, and others that are done then. */
  async function* takeFrom(lines: RangeLines, isEnd = false): AsyncGenerator<MadeRange> {
    if (current !== undefined && current.lines !== lines) return;
    let next: RangeLines | undefined = lines;
    while (next !== undefined) {
      const made = await write(next, isEnd);
      if (made === undefined) return;
      yield made;
      next = ranges.values().find((range) => range.isReady(isEnd));
    }
  }

  async function write(lines: RangeLines, isEnd: boolean): Promise<MadeRange | undefined> {
    for (const line of lines.take(isEnd)) {
      current ??= { lines, writer: new PartWriter(out, lines.range.first) };
      await current.writer.write(line);
      if (line.memory !== undefined) freeCalls(line.memory);
    }
    if (!lines.isDone) return undefined;
    const writer = current?.writer ?? new PartWriter(out, lines.range.first);
    current = undefined;
    await writer.end(lines.range.last);
    lines.close();
    ranges.delete(lines.range);
    const parts = await Promise.all(writer.parts.map((part) => addFacts(part, lines.range.isFinal, chain)));
    return { range: lines.range, parts };
  }

  async function* takeRest(): AsyncGenerator<MadeRange> {
    const first = current?.lines ?? ranges.values().next().value;
    if (first !== undefined) yield* takeFrom(first, true);
  }
}

async function addFacts(part: WrittenPart, isFinal: boolean, chain: SeededChain): Promise<UnhashedPart> {
  const [top, blocks] = [await chain.topUpTo(part.last), await chain.countBlocks(part)];
  return { ...part, index_block_hash: top, is_final: isFinal, blocks };
}

/** Explains which block or microblocks at a height are in no archive. `foreign`: archives without a block of the index. */
async function explainMissing(height: number, chain: SeededChain, foreign: readonly string[]): Promise<FailureError> {
  const hint = foreign.length === 0 ? '' : ` No block of the index is in ${foreign.join(', ')}.`;
  return incomplete(
    `The archives lack a block or microblocks of the index at height ${formatCount(height)}, where the block ` +
      `${await chain.topUpTo(height)} is canonical`,
    `Name all archives that the index was made from, with --archive.${hint} The parts below that height are kept.`,
  );
}
