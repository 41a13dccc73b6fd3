// Reads and writes facts about the index: its id, chain and sources, and the state of an unfinished run.

import type { NftMode } from '#model/token.ts';
import { highest } from '#sqlite/aggregates.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import type { StoreReader } from './index-database.ts';

interface IndexInfo {
  /** A random id of the index. A build stores the id to recognize the index that it was made from. */
  readonly indexId: string;
  /** The chain of the index; undefined until a transaction carries the chain id. */
  readonly chainId: number | undefined;
  /** The chain id, or UNNAMED_TEST_CHAIN while only boot transactions of a test chain are indexed. */
  readonly anyChainId: number | undefined;
  /** A number that increases when the canonical chain changes; undefined without a block. */
  readonly chainVersion: number | undefined;
  /** The highest final height: canonical blocks up to it stay canonical. Undefined if no block is final. */
  readonly finalHeight: number | undefined;
  /** The URLs of the node and the API, which later runs use by default. API keys are never stored. */
  readonly nodeUrl: string | undefined;
  readonly apiUrl: string | undefined;
  /** The `--nft` mode of the last run: how much of collections is indexed. */
  readonly nftMode: NftMode;
  /** The last run's limit for the number of calls replayed per token. */
  readonly maxCalls: number | undefined;
  /** The last run's limit of processor time per token, in ms. */
  readonly vmTimeoutMs: number | undefined;
  /** The package and version of the Clarity VM that evaluated the tokens; undefined if no token was evaluated. */
  readonly vmVersion: string | undefined;
  /** The epoch in which getters were last called; undefined if the epoch was unknown. */
  readonly tipEpoch: string | undefined;
  /** The heights of the tip at which getters were last called; undefined if no token was evaluated. */
  readonly tipHeights: string | undefined;
  /** The progress of an unfinished run, for the next run: its lookups are queued, or all token lists are read. */
  readonly runMark: 'started' | 'listed' | undefined;
  /** The URL or the path of a seed that was not read to its end; undefined without one. */
  readonly seed: string | undefined;
  /** The file name of the old index, which a rebuild set aside; undefined after the rebuild is finished. */
  readonly oldIndex: string | undefined;
}

export type SourceUrls = Pick<IndexInfo, 'nodeUrl' | 'apiUrl'>;

export async function readInfo(store: StoreReader): Promise<IndexInfo> {
  const values = await readValues(store);
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return {
    indexId: values.index_id ?? '',
    chainId: numberOf(values.chain_id) || undefined,
    anyChainId: numberOf(values.chain_id),
    chainVersion: numberOf(values.chain_version),
    finalHeight: numberOf(values.final_height),
    nodeUrl: values.node_url,
    apiUrl: values.api_url,
    nftMode: (values.nft_mode ?? 'none') as NftMode,
    maxCalls: numberOf(values.max_calls),
    vmTimeoutMs: numberOf(values.vm_timeout_ms),
    vmVersion: values.vm_version,
    tipEpoch: values.tip_epoch,
    tipHeights: values.tip_heights,
    runMark: values.run_mark as IndexInfo['runMark'],
    seed: values.seed,
    oldIndex: values.old_index,
  };
}

/** Stores facts. A value of undefined deletes the stored value; omitted fields stay. */
export async function writeInfo(store: StoreReader, info: Partial<IndexInfo>): Promise<void> {
  const entries = Object.entries(info).map(([name, value]) => {
    const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [key, value === undefined ? undefined : String(value)];
  });
  await writeValues(store, Object.fromEntries(entries));
}

/** Returns the height of the highest tip that a node or an API reported. It may be above all indexed blocks. */
export async function readReportedTip(store: StoreReader): Promise<number | undefined> {
  const [report, reading] = [await highest(store, 'report', 'tip_height'), await highest(store, 'reading', 'height')];
  return Math.max(report, reading) || undefined;
}
