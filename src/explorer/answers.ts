// Types of the answers that pages draw: those that the routes describe, so neither can change alone. No code comes
// along.
import type { ApiStatus } from '#routes/api-status.ts';
import type { ListEntry } from '#routes/collection-tokens.ts';
import type { ContractGraph } from '#routes/contract-graph.ts';
import type { ContractInfo } from '#routes/contract-info.ts';
import type { Days } from '#routes/days.ts';
import type { NumberedAnswer } from '#routes/numbered-metadata.ts';
import type { TokenAnswer } from '#routes/token-answer.ts';
import type { CollectionStatus, TokenStatus } from '#routes/token-status.ts';

export type {
  ApiStatus,
  CollectionStatus,
  ContractGraph,
  ContractInfo,
  Days,
  ListEntry,
  NumberedAnswer,
  TokenAnswer,
  TokenStatus,
};

export type Metadata = NonNullable<TokenAnswer['metadata']>;

export interface TokenPage {
  readonly total: number;
  readonly results: readonly ListEntry[];
}
