// Replays arrivals into an index and into the model, and says where they first differ.
import { type Arrivals, type ForkBlock, formatArrivals } from './arrivals.ts';
import type { ForkIndex, Observed, ObservedContent } from './fork-index.ts';
import { type Expected, modelOf } from './model.ts';

export interface ReplayOptions {
  /** With CanonicalChain alone, or with all that a batch changes. */
  readonly by: 'CanonicalChain' | 'applyBatch';
  /** Whether the index is closed and opened again behind each batch. */
  readonly reopens: boolean;
}

/** Empties the index and replays; undefined if every batch left the index as the model says. */
export async function firstDifference(
  index: ForkIndex,
  arrivals: Arrivals,
  { by, reopens }: ReplayOptions,
): Promise<string | undefined> {
  await index.empty();
  const arrived: ForkBlock[] = [];
  for (const [at, batch] of arrivals.entries()) {
    arrived.push(...batch);
    const expected = modelOf(arrived);
    const differences: string[] = [];
    try {
      await (by === 'applyBatch' ? index.applyBatch(batch) : index.addToChain(batch));
      if (reopens) await index.reopen();
      differences.push(...differencesOfChain(expected, await index.read()));
      if (by === 'CanonicalChain')
        differences.push(...differencesOfSets('told to be canonical', expected.canonical, index.told));
      else differences.push(...differencesOfContent(expected, await index.readContent(expected.served.keys())));
    } catch (error) {
      differences.push(`threw ${error instanceof Error ? error.stack : error}`);
    }
    if (differences.length > 0) return `behind batch ${at + 1}, ${formatArrivals([batch])}:\n${differences.join('\n')}`;
  }
  return undefined;
}

function differencesOfChain(expected: Expected, observed: Observed): string[] {
  const tip = observed.tip === expected.tip ? [] : [`the tip is ${observed.tip}, the model's ${expected.tip}`];
  return [...tip, ...differencesOfSets('canonical', expected.canonical, observed.canonical)];
}

function differencesOfContent(expected: Expected, observed: ObservedContent): string[] {
  const differences: string[] = [];
  if (observed.supply !== expected.supply)
    differences.push(`the supply is ${observed.supply}, the model's ${expected.supply}`);
  for (const [contract, served] of expected.served) {
    const [found, model] = [JSON.stringify(observed.served.get(contract)), JSON.stringify(served)];
    if (found !== model) differences.push(`${contract} is served as ${found}, the model's ${model}`);
  }
  const modesOf = ({ modes }: Expected | ObservedContent) => new Set([...modes].map((pair) => pair.join(' ')));
  differences.push(...differencesOfSets('update modes', modesOf(expected), modesOf(observed)));
  const gaps = new Set([...observed.gaps].filter((name) => !expected.openGaps.has(name)));
  differences.push(...differencesOfSets('gaps', expected.gaps, gaps));
  return differences;
}

function differencesOfSets(what: string, expected: ReadonlySet<string>, observed: ReadonlySet<string>): string[] {
  if (observed.size === expected.size && [...observed].every((name) => expected.has(name))) return [];
  return [`${what}: ${[...observed].sort().join(' ')}, the model's: ${[...expected].sort().join(' ')}`];
}
