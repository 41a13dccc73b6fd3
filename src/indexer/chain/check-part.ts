// Checks the blocks of a part of a seed, and its numbers of blocks, lines and bytes, against the manifest.
import type { SeedPart } from '#layout/seed-manifest.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { type FailureError, stop } from '#model/failure.ts';

/** The maximum number of lines for each block, and for a part in addition. Microblocks have their own lines. */
const LINES_OF_BLOCK = 10;
const MORE_LINES = 1_000;

/**
 * Checks the batches that a run reads of a part. Each function throws FailureError `seed-invalid`. `before`: the part
 * before it.
 */
export function checkPart(part: SeedPart, before: SeedPart | undefined, name: string) {
  const blocks = new Set<string>();
  let isResumed = false;
  let lines = 0;
  /** The hash of the last block; undefined if it is unknown. */
  let last = before?.index_block_hash;
  return {
    add(events: readonly ChainEvent[]): void {
      lines += events.length;
      for (const event of events) {
        if (event.kind !== 'block') continue;
        const { height, indexBlockHash, parentIndexBlockHash } = event;
        if (height < part.first || height > part.last)
          throw forged(
            `${name} has a block at height ${height}, but it should have heights from ${part.first} to ${part.last}`,
          );
        if (part.is_final && last !== undefined && parentIndexBlockHash !== last)
          throw forged(`${name} has a block at height ${height} that is not the child of the block before it`);
        last = indexBlockHash;
        blocks.add(indexBlockHash);
      }
      if (blocks.size > part.blocks) throw forged(`${name} has more blocks than its manifest states`);
      if (lines > LINES_OF_BLOCK * part.blocks + MORE_LINES) throw forged(`${name} has too many lines for its blocks`);
    },
    /** Must be called if the run continues where an earlier one stopped. */
    resume(): void {
      isResumed = true;
      last = undefined;
    },
    /** Must be called after the last batch. `textBytes`: the number of bytes that this run and earlier ones read. */
    finish(textBytes: number): void {
      if (textBytes < part.text_bytes) throw forged(`${name} has less text than its manifest states`);
      if (last !== undefined && last !== part.index_block_hash)
        throw forged(`${name} does not have its last block ${part.index_block_hash}`);
      if (!isResumed && blocks.size < part.blocks) throw forged(`${name} has fewer blocks than its manifest states`);
    },
  };
}

/** Creates the error for a part of a seed that differs from its manifest. */
export function forged(problem: string): FailureError {
  return stop(
    'seed-invalid',
    `${problem}. The seed is damaged or forged: do not use it. The index may have blocks of it: restore a backup, or make a new index.`,
  );
}
