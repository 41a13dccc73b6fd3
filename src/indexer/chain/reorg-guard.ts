// Refuses an archive or a seed that orphans many blocks which the index had before the run.
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { readTip } from '#store/chain/blocks.ts';
import type { StoreReader } from '#store/index-database.ts';
import { heightOf } from '#store/schema/chain.ts';
import { formatCount } from '#text/format-count.ts';
import type { StoredChain } from './store-facts.ts';

/** The maximum number of blocks that a run may orphan without permission. Forks on mainnet orphan a few blocks. */
const MAX_ORPHANED = 100;

export type ReorgGuard = Awaited<ReturnType<typeof openReorgGuard>>;

/** Opens the guard of a run. `isAllowed`: the run may orphan any number of blocks. */
export async function openReorgGuard(store: StoreReader, isAllowed: boolean, reporter: Reporter) {
  const tipHeight = (await readTip(store))?.height ?? -1;
  let total = 0;
  /**
   * Must be called before the transaction of a batch ends. Throws FailureError `reorg-refused`. Warns of a batch that
   * orphans more blocks than it adds.
   */
  return function check(source: string, { chain, added }: Pick<StoredChain, 'chain' | 'added'>): void {
    // Higher blocks were added by this run.
    const heights = chain.orphaned.map(heightOf).filter((height) => height <= tipHeight);
    if (heights.length === 0) return;
    total += heights.length;
    const lowest = heights.reduce((low, height) => Math.min(low, height));
    const adopted = chain.adopted.length + added.filter(({ block }) => block.canonical).length;
    const effect =
      `${formatCount(heights.length)} blocks of the index from height ${formatCount(lowest)}, and adds ` +
      formatCount(adopted);
    if (total > MAX_ORPHANED && !isAllowed)
      throw stop(
        'reorg-refused',
        `${source} orphans ${effect}. This was not stored, and all canonical blocks stay. If that is the right chain, ` +
          'run the command again with --allow-reorg.',
      );
    if (total > MAX_ORPHANED || heights.length > adopted) reporter.warn(`${source} orphans ${effect}.`);
  };
}
