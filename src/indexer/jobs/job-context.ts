// The objects that the job workers of a run share.
import type { Store } from '#store/index-database.ts';
import type { IndexOptions } from '../index-options.ts';
import type { ChainReader } from '../replay/chain-reader.ts';
import type { SourceAccess } from './source-access.ts';

export interface JobContext {
  readonly store: Store;
  readonly options: IndexOptions;
  /** Provides chain data for evaluations. Workers that change contracts report this to it. */
  readonly chain: ChainReader;
  /** The run's node and API; undefined without a node and an API. */
  readonly access: SourceAccess | undefined;
  readonly signal: AbortSignal;
}
