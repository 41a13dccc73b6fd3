// What kinds of jobs need from a run.
import type { Store } from '#store/index-database.ts';
import type { IndexOptions } from '../index-options.ts';
import type { ChainReader } from '../replay/chain-reader.ts';
import type { SourceAccess } from './source-access.ts';

export interface JobContext {
  readonly store: Store;
  readonly options: IndexOptions;
  /** What evaluations read: it is told of contracts that change. */
  readonly chain: ChainReader;
  /** Undefined without a node and an API. */
  readonly access: SourceAccess | undefined;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
}
