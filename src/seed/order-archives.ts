// Chooses the archives that a seed is made from, and their order.
import { join } from 'node:path';
import { readIntact } from '#files/read-if-exists.ts';
import type { SeedPart } from '#layout/seed-manifest.ts';
import type { Reporter } from '#model/reporter.ts';
import { cutArchive } from '#source/event-archive/cut-archive.ts';

interface Choice {
  readonly out: string;
  /** The parts of an earlier seed that have some of the blocks. */
  readonly parts: readonly SeedPart[];
  /** Paths of archives in the order of the chain. */
  readonly archives: readonly string[];
  /** The lowest height of the blocks that the seed needs. */
  readonly lowest: number;
  readonly chainId: number | undefined;
  readonly reporter: Reporter;
}

/**
 * Yields the intact parts of the earlier seed, then the archives from the last one that begins at or below the lowest
 * height, then the other archives. The caller stops when it has all blocks.
 */
export async function* orderArchives(choice: Choice): AsyncGenerator<string> {
  const { out, parts, archives, lowest, chainId, reporter } = choice;
  for (const part of parts) {
    const path = join(out, part.file);
    if (readIntact(path, part.sha256) !== undefined) yield path;
    else
      reporter.warn(`The part ${path} of the earlier seed is missing or damaged. It is made again from the archives.`);
  }
  let first = archives.length - 1;
  while (first > 0 && ((await firstHeight(archives[first] ?? '', chainId)) ?? 0) > lowest) first--;
  yield* archives.slice(Math.max(first, 0));
  yield* archives.slice(0, Math.max(first, 0));
}

/** Returns the height of the first block; undefined if the beginning of the archive has no block. */
async function firstHeight(path: string, chainId: number | undefined): Promise<number | undefined> {
  for await (const { payloads } of cutArchive(path, chainId))
    return payloads.find(({ kind }) => kind === 'block')?.head.height;
  return undefined;
}
