// Replays arrivals into an index and the model, and describes the first difference between them.
import { inspect, isDeepStrictEqual } from 'node:util';
import { type Arrivals, type ForkBlock, formatArrivals } from './arrivals.ts';
import type { ForkIndex, Observed } from './fork-index.ts';
import { type Expected, modelOf } from './model.ts';

export interface ReplayOptions {
  /** The number of blocks at the tip that are not final. */
  readonly finalBlocks: number;
  /**
   * Returns true for a batch after which the due tokens are evaluated. The last batch is always followed by an
   * evaluation.
   */
  readonly evaluates?: (batch: readonly ForkBlock[]) => boolean;
}

/**
 * Empties the index, replays the arrivals, and describes the first difference from the model. Returns undefined without
 * a difference.
 */
export async function firstDifference(
  index: ForkIndex,
  arrivals: Arrivals,
  { finalBlocks, evaluates }: ReplayOptions,
): Promise<string | undefined> {
  await index.empty();
  for (const [at, batch] of arrivals.entries()) {
    const expected = modelOf(arrivals.slice(0, at + 1), finalBlocks);
    let differences: string[];
    try {
      await index.applyBatch(batch, finalBlocks);
      const observed = await index.read(expected.served.keys());
      const isEvaluated = evaluates !== undefined && (evaluates(batch) || at === arrivals.length - 1);
      const names = isEvaluated ? { names: await index.readNames(expected.served.keys()) } : {};
      differences = differencesOf({ ...observed, ...names }, expected);
    } catch (error) {
      differences = [`threw ${error instanceof Error ? error.stack : error}`];
    }
    if (differences.length > 0) return `after batch ${at + 1}, ${formatArrivals([batch])}:\n${differences.join('\n')}`;
  }
  return undefined;
}

function differencesOf(observed: Observed, { openGaps, ...expected }: Expected): string[] {
  const found: Observed = { ...observed, gaps: observed.gaps.difference(openGaps) };
  return (Object.keys(found) as (keyof Observed)[])
    .filter((name) => !isDeepStrictEqual(found[name], expected[name]))
    .map((name) => `${name}: ${inspect(found[name])}, the model's: ${inspect(expected[name])}`);
}
