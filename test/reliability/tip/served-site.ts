// Indexes blocks as `stxpress index --offline` does, in one or several runs, and renders the bodies of the API's
// responses by path.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexOptions } from '#indexer/index-options.ts';
import { runIndex } from '#indexer/run-index.ts';
import { ROUTES } from '#routes/all.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { indexOptions, offline } from '../../support/index-options.ts';
import { line } from '../../support/transactions.ts';
import { renderFull } from '../ledger/rendered-site.ts';
import type { ChainBlock } from './observed-block.ts';
import type { SimnetChain } from './simnet-chain.ts';

/** The routes whose responses contain the values of tokens, or the reasons for missing values. */
const VALUE_ROUTES = ROUTES.filter(({ id }) =>
  ['token-metadata', 'token-status', 'nft-metadata', 'sft-metadata'].includes(id),
);

export type RunOptions = Partial<Pick<IndexOptions, 'vm' | 'maxCalls'>>;

export interface ServedSite {
  readonly files: ReadonlyMap<string, string>;
  /** The number of calls that the index stores. */
  readonly recordedCalls: number;
}

/**
 * Indexes a chain. `runs` has the options of each run. A run reads an archive of the blocks that arrive in this run.
 */
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

/**
 * Returns the archive of a run. Sorts blocks by `run`, then by height, and puts an orphan before the canonical block of
 * equal height.
 */
function archiveOf(chain: SimnetChain, run: number): string {
  const blocks = chain.blocks.filter((block) => block.run !== 'never' && Math.floor(block.run) === run);
  return blocks
    .toSorted((left, right) => (left.run as number) - (right.run as number) || orderOf(left) - orderOf(right))
    .map((block) => lineOf(chain, block))
    .join('');
}

const orderOf = ({ height, isOrphan }: ChainBlock) => height - (isOrphan ? 0.5 : 0);

/** Returns the lines of all blocks by height. An orphan is before the canonical block of equal height. */
export function allLines(chain: SimnetChain): string[] {
  const blocks = chain.blocks.filter(({ run }) => run !== 'never');
  return blocks.toSorted((left, right) => orderOf(left) - orderOf(right)).map((block) => lineOf(chain, block));
}

function lineOf(chain: SimnetChain, { payload }: ChainBlock): string {
  return line('/new_block', withInterfaces(chain, payload), 'raw');
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
