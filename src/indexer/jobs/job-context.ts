// What kinds of jobs need from a run.
import type { Store } from '#store/index-database.ts';
import type { IndexOptions } from '../index-options.ts';
import type { SourceAccess } from './source-access.ts';

export interface JobContext {
  readonly store: Store;
  readonly options: IndexOptions;
  /** Undefined without a node and an API. */
  readonly access: SourceAccess | undefined;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
}
