// The parts of a run that kinds of jobs need.
import type { Store } from '#store/index-database.ts';
import type { IndexOptions } from '../index-options.ts';
import type { ChainReader } from '../replay/chain-reader.ts';
import type { SourceAccess } from './source-access.ts';

export interface JobContext {
  readonly store: Store;
  readonly options: IndexOptions;
  /** Chain data for evaluations; notified of changed contracts. */
  readonly chain: ChainReader;
  /** Undefined without a node and an API. */
  readonly access: SourceAccess | undefined;
  readonly signal: AbortSignal;
}
