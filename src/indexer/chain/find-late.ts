// Finds blocks that arrived behind blocks above them: what these called was not recorded.
import type { AddedBlock } from '../added-block.ts';

/** Ids of blocks that came behind blocks above them. `gap`: height of the highest gap before all of them. */
export function findLate(
  added: readonly AddedBlock[],
  gaps: readonly { readonly blockId: number; readonly height: number }[],
  gap = 0,
): Set<number> {
  const heights = new Map(gaps.map(({ blockId, height }) => [blockId, height]));
  const late = new Set<number>();
  let highest = gap;
  for (const { block } of added) {
    if (block.height < highest) late.add(block.blockId);
    highest = Math.max(highest, heights.get(block.blockId) ?? 0);
  }
  return late;
}
