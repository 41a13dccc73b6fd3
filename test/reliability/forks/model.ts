// The reference model: simple rules for the canonical chain, and for several deploys of the same contract id.
//
// - The tip is the highest block; of equally high blocks, the first one that arrived.
// - A block is canonical if and only if it is on the chain that ends at the tip, in any order of arrival.
// - Below a gap in that chain, the blocks that were canonical before stay canonical. The chain continues at the highest
//   of these blocks.
// - A parent that is not lower than its child is ignored.
// - A repeated block has no effect.
// - A block is refused if it would replace a canonical block up to the final height, or has the height of such a block.
//   After each batch, the final height is the height of the tip, or of the block below the lowest gap, less a number.
//   It never decreases.
// - The index serves the highest canonical deploy of a contract id. Without a canonical deploy, it serves the highest
//   deploy. At equal heights the lower block hash decides, so that the division into archives does not matter.
// - A deploy without a version has the default version of the epoch of its block.
// - The update mode of a contract comes from its last notification on the canonical chain.

import { hashOf } from '../../support/transactions.ts';
import type { Arrivals, ForkBlock } from './arrivals.ts';
import { LIBRARY, UPDATE_MODES } from './fork-events.ts';

/** The expected state after some arrivals. */
export interface Expected {
  readonly tip: string | undefined;
  /** The final height; undefined if no block is final. */
  readonly final: number | undefined;
  readonly canonical: ReadonlySet<string>;
  readonly supply: number;
  readonly served: ReadonlyMap<string, ExpectedServed>;
  /** Names of arrived blocks whose parent never arrived. The index must record a gap for each. */
  readonly gaps: ReadonlySet<string>;
  /** Names of arrived blocks whose parent also arrived, but is not lower. The index may record a gap for each. */
  readonly openGaps: ReadonlySet<string>;
  /** Update mode of each contract with a canonical notification. */
  readonly modes: ReadonlyMap<string, string>;
  /**
   * Symbol and name of each canonical token: `S0 Name 1`, or `S0 no name` if the library was deployed after the token.
   */
  readonly names: ReadonlyMap<string, string>;
}

interface ExpectedServed {
  readonly canonical: boolean;
  readonly height: number;
  readonly deploy: string;
  readonly clarityVersion: number | undefined;
}

/** Computes the expected state after the batches in `arrivals`. Some blocks may be repeated. */
export function modelOf(arrivals: Arrivals, finalBlocks: number): Expected {
  let arrived: readonly ForkBlock[] = [];
  let chain: ForkBlock[] = [];
  let final: number | undefined;
  for (const batch of arrivals) {
    for (const block of new Map(batch.map((block) => [block.name, block])).values()) {
      if (arrived.some(({ name }) => name === block.name)) continue;
      const next = chainAtTip([...arrived, block], chain);
      const isReplaced = (other: ForkBlock) => other.height === block.height || !next.includes(other);
      if (chain.some((other) => other.height <= (final ?? -1) && isReplaced(other))) continue;
      arrived = [...arrived, block];
      chain = next;
    }
    final = finalAfter(final, chain, finalBlocks);
  }
  const canonical = new Set(chain.map((block) => block.name));
  const orphans = arrived.filter((block) => block.height > 0 && parentOf(block, arrived) === undefined);
  const names = new Set(arrived.map((block) => block.name));
  const served = servedOf(arrived, canonical);
  return {
    tip: chain[0]?.name,
    final,
    canonical,
    supply: chain.reduce((sum, block) => sum + (block.minted ?? 0), 0),
    served,
    names: namesOf(served),
    modes: modesOf(chain),
    gaps: new Set(orphans.filter((block) => !names.has(block.parent)).map((block) => block.name)),
    openGaps: new Set(orphans.filter((block) => names.has(block.parent)).map((block) => block.name)),
  };
}

/**
 * Returns the canonical chain from the tip downwards. `before` is the canonical chain before the last block arrived.
 */
function chainAtTip(arrived: readonly ForkBlock[], before: readonly ForkBlock[]): ForkBlock[] {
  const chain: ForkBlock[] = [];
  for (let block = highest(arrived); block !== undefined; ) {
    chain.push(block);
    const { height } = block;
    block = parentOf(block, arrived) ?? highest(before.filter((other) => other.height < height));
  }
  return chain;
}

/** Returns the new final height. The chain begins at the tip. */
function finalAfter(before: number | undefined, chain: readonly ForkBlock[], finalBlocks: number): number | undefined {
  const upwards = chain.toReversed();
  const lowest = upwards[0]?.height ?? 0;
  const isAboveGap = ({ height, parent }: ForkBlock, at: number) =>
    height > Math.max(before ?? -1, lowest) && parent !== upwards[at - 1]?.name;
  const gap = upwards.findIndex(isAboveGap);
  const top = upwards.at(gap === -1 ? -1 : gap - 1)?.height ?? 0;
  const final = Math.max(before ?? lowest - 1, top - finalBlocks);
  return final < lowest ? undefined : final;
}

/** Returns the block with the greatest height; if several have it, the first of them. */
function highest(blocks: readonly ForkBlock[]): ForkBlock | undefined {
  const height = Math.max(...blocks.map((block) => block.height));
  return blocks.find((block) => block.height === height);
}

function parentOf(block: ForkBlock, arrived: readonly ForkBlock[]): ForkBlock | undefined {
  return arrived.find((other) => other.name === block.parent && other.height < block.height);
}

function servedOf(arrived: readonly ForkBlock[], canonical: ReadonlySet<string>): Map<string, ExpectedServed> {
  const served = new Map<string, ExpectedServed>();
  for (const contract of new Set(arrived.flatMap(({ deploy }) => deploy?.split('.')[0] ?? []))) {
    const all = arrived.filter((block) => block.deploy?.split('.')[0] === contract);
    const onChain = all.filter((block) => canonical.has(block.name));
    const candidates = onChain.length > 0 ? onChain : all;
    const height = Math.max(...candidates.map((block) => block.height));
    const [first] = candidates
      .filter((block) => block.height === height)
      .sort((left, right) => (hashOf(left.name) < hashOf(right.name) ? -1 : 1));
    const deploy = first?.deploy ?? '';
    served.set(contract, { canonical: onChain.length > 0, height, deploy, clarityVersion: first?.isLate ? 2 : 1 });
  }
  return served;
}

/**
 * Returns the update modes at the tip. `chain` begins at the tip, so the first notification of a contract is the
 * latest.
 */
function modesOf(chain: readonly ForkBlock[]): Map<string, string> {
  const modes = new Map<string, string>();
  for (const { notice } of chain) {
    if (notice === undefined || modes.has(notice.slice(0, -1))) continue;
    modes.set(notice.slice(0, -1), UPDATE_MODES[notice.slice(-1) as keyof typeof UPDATE_MODES]);
  }
  return modes;
}

function namesOf(served: ReadonlyMap<string, ExpectedServed>): Map<string, string> {
  const library = served.get(LIBRARY);
  const names = new Map<string, string>();
  for (const [contract, { canonical, height, deploy }] of served) {
    if (!canonical || contract === LIBRARY) continue;
    const hasLibrary = library?.canonical === true && library.height < height;
    names.set(contract, `S${deploy.at(-1)} ${hasLibrary ? `Name ${library.deploy.at(-1)}` : 'no name'}`);
  }
  return names;
}
