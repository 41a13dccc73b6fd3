// Indexes blocks as `stxpress index --offline` does, in one or several runs, and renders the API responses of the
// index: bodies by path.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexOptions } from '#indexer/index-options.ts';
import { runIndex } from '#indexer/run-index.ts';
import { ROUTES } from '#routes/all.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { indexOptions, offline } from '../../support/index-options.ts';
import { line } from '../../support/observer-lines.ts';
import { renderFull } from '../ledger/rendered-site.ts';
import type { ChainBlock } from './observed-block.ts';
import type { SimnetChain } from './simnet-chain.ts';

/** Routes whose responses have the values of tokens, or the reasons why values are missing. */
const VALUE_ROUTES = ROUTES.filter(({ id }) =>
  ['token-metadata', 'token-status', 'nft-metadata', 'sft-metadata'].includes(id),
);

export type RunOptions = Partial<Pick<IndexOptions, 'vm' | 'maxCalls'>>;

export interface ServedSite {
  readonly files: ReadonlyMap<string, string>;
  /** Number of calls recorded in the index. */
  readonly recordedCalls: number;
}

/** Indexes a chain. `runs` has the options of each run, which reads an archive of the blocks that arrive in it. */
export async function indexChain(
  chain: SimnetChain,
  folder: string,
  runs: readonly RunOptions[] = [{}],
  onIndexed: (store: Store, run: number) => Promise<void> = async () => {},
): Promise<ServedSite> {
  const store = await openIndex(':memory:');
  try {
    for (const [run, options] of runs.entries()) {
      const path = join(folder, `run-${run}.tsv`);
      const archive = archiveOf(chain, run);
      const archives = archive === '' ? [] : [path];
      writeFileSync(path, archive);
      const { documents } = offline(folder);
      await runIndex(store, indexOptions({ vm: true, archives, documents, ...options }));
      await onIndexed(store, run);
    }
    return { files: await renderFull(store, VALUE_ROUTES), recordedCalls: await countCalls(store) };
  } finally {
    await store.destroy();
  }
}

/** Returns a run's archive: blocks by `run`, then by height, each orphan before the canonical block of its height. */
function archiveOf(chain: SimnetChain, run: number): string {
  const blocks = chain.blocks.filter((block) => block.run !== 'never' && Math.floor(block.run) === run);
  const order = ({ height, isOrphan }: ChainBlock) => height - (isOrphan ? 0.5 : 0);
  return blocks
    .toSorted((left, right) => (left.run as number) - (right.run as number) || order(left) - order(right))
    .map(({ payload }) => line('/new_block', withInterfaces(chain, payload), 'raw'))
    .join('');
}

function withInterfaces(chain: SimnetChain, payload: ChainBlock['payload']): unknown {
  const transactions = (payload.transactions as Record<string, unknown>[]).map(({ interfaceOf, ...transaction }) =>
    typeof interfaceOf === 'string'
      ? { ...transaction, contract_interface: chain.interfaceOf(interfaceOf) }
      : transaction,
  );
  return { ...payload, transactions };
}

async function countCalls(store: Store): Promise<number> {
  return (await store.selectFrom('call').select('block_id').execute()).length;
}
