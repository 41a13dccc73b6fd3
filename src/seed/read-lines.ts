// Reads the archives of a seed. Yields the lines of blocks in ranges, and gives the lines of recent blocks to a function.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readIntact } from '#files/read-if-exists.ts';
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { cutArchive } from '#source/event-archive/cut-archive.ts';
import { isFile } from '#source/event-archive/open-archive.ts';
import type { CutPayload } from '#source/observer/cut-payload.ts';
import { formatPayload } from '#source/seed/seed-line.ts';
import type { StoreReader } from '#store/index-database.ts';
import { formatCount } from '#text/format-count.ts';
import { openCallChooser } from './choose-calls.ts';
import type { SeedLine } from './part-writer.ts';
import type { SeedPlan } from './plan-seed.ts';
import type { SeededChain } from './read-chain.ts';

export interface ReadOptions {
  /** Paths of the archives that the index was made from, in the order of the chain. */
  readonly archives: readonly string[];
  /** The folder of the seed. */
  readonly out: string;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** `plan`: the blocks above the ranges that are needed, and parts whose lines are needed. */
export function openLines(
  store: StoreReader,
  chain: SeededChain,
  plan: Pick<SeedPlan, 'needed' | 'replaced'>,
  options: ReadOptions,
) {
  const { out, archives, reporter, signal } = options;
  const choose = openCallChooser(store);
  /** The recent blocks that were not found yet. */
  const left = new Map(plan.needed);
  const microblocks = new Set<string>();
  let passes = 0;
  const state = {
    /** The lowest height in a range whose line is needed; infinite without one. */
    from: Number.POSITIVE_INFINITY,
    left: left as ReadonlyMap<string, number>,
    /** The number of transactions that were left out because their bytes have another id. */
    misnamed: 0,
    read,
  };
  return state;

  /** Yields the lines of canonical blocks in ranges. The first call passes all other lines to `onRecent`. */
  async function* read(onRecent: (line: SeedLine) => Promise<void>): AsyncGenerator<SeedLine> {
    const isFirst = ++passes === 1;
    const lowest = left.values().reduce((low, height) => Math.min(low, height), state.from);
    for await (const path of sources(lowest)) {
      // A pipe can be read only once.
      if (!isFirst && !isFile(path)) continue;
      for await (const { payloads, readBytes: done, totalBytes: total } of cutArchive(path)) {
        for (const payload of payloads) {
          const { kind, head } = payload;
          if (kind === 'block' && head.height <= chain.end) {
            if (head.height >= state.from && (await chain.has(head.indexBlockHash, head.height)))
              yield await lineOf(payload);
          } else if (isFirst && isNeeded(payload)) await addRecent(payload, onRecent);
        }
        if (signal.aborted) throw stop('interrupted', 'The seed was interrupted. Run the command again to continue.');
        const detail = `${formatCount(left.size)} recent blocks left`;
        reporter.progress({ task: 'seed', done, ...(total === undefined ? {} : { total }), unit: 'bytes', detail });
        if (state.from > chain.end && left.size === 0) return;
      }
    }
  }

  async function lineOf(payload: CutPayload): Promise<SeedLine> {
    state.misnamed += payload.misnamed;
    const chosen = await choose(payload);
    return { head: payload.head, text: chosen.length === 0 ? undefined : formatPayload(payload, chosen) };
  }

  function isNeeded({ kind, head }: CutPayload): boolean {
    return kind === 'block' ? left.has(head.indexBlockHash) : chain.recent.has(head.parentIndexBlockHash);
  }

  async function addRecent(payload: CutPayload, onRecent: (line: SeedLine) => Promise<void>): Promise<void> {
    const line = await lineOf(payload);
    if (payload.kind === 'microblocks') {
      const text = line.text ?? Buffer.alloc(0);
      const key = hash('sha256', text, 'hex');
      if (text.length === 0 || microblocks.has(key)) return;
      microblocks.add(key);
    }
    left.delete(payload.head.indexBlockHash);
    await onRecent(line);
  }

  /**
   * Yields the intact replaced parts, then the archives from the last one that begins at or below the lowest height,
   * then the other archives. The caller stops when it has all blocks.
   */
  async function* sources(lowest: number): AsyncGenerator<string> {
    for (const part of plan.replaced) {
      const path = join(out, part.file);
      if (part.is_final && part.last < lowest) continue;
      if (readIntact(path, part.sha256) !== undefined) yield path;
      else if (passes === 1)
        reporter.warn(
          `The part ${path} of the earlier seed is missing or damaged. It is made again from the archives.`,
        );
    }
    let first = archives.length - 1;
    const isAbove = async (path: string) => isFile(path) && ((await firstHeight(path)) ?? 0) > lowest;
    while (first > 0 && (await isAbove(archives[first] ?? ''))) first--;
    yield* archives.slice(Math.max(first, 0));
    yield* archives.slice(0, Math.max(first, 0));
  }

  /** Returns the height of the first block; undefined if the beginning of the archive has no block. */
  async function firstHeight(path: string): Promise<number | undefined> {
    for await (const { payloads } of cutArchive(path))
      return payloads.find(({ kind }) => kind === 'block')?.head.height;
    return undefined;
  }
}
