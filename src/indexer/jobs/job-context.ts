// The shared objects of a run that job workers use.
import type { Store } from '#store/index-database.ts';
import type { IndexOptions } from '../index-options.ts';
import type { ChainReader } from '../replay/chain-reader.ts';
import type { SourceAccess } from './source-access.ts';

export interface JobContext {
  readonly store: Store;
  readonly options: IndexOptions;
  /** Chain data for evaluations. Workers report changed contracts to it. */
  readonly chain: ChainReader;
  /** Undefined without a node and an API. */
  readonly access: SourceAccess | undefined;
  readonly signal: AbortSignal;
}
