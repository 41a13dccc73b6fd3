// Types of the responses that pages draw, as the routes describe them. Only types are imported.
import type { ListEntry } from '#routes/collection-tokens.ts';
import type { TokenResponse } from '#routes/token-response.ts';

export type { ApiStatus } from '#routes/api-status.ts';
export type { ContractGraph } from '#routes/contract-graph.ts';
export type { ContractInfo } from '#routes/contract-info.ts';
export type { Days } from '#routes/days.ts';
export type { NumberedResponse } from '#routes/numbered-metadata.ts';
export type { CollectionStatus, DocumentStatus, TokenStatus } from '#routes/token-status.ts';
export type { TokenResponse };

export type Metadata = NonNullable<TokenResponse['metadata']>;

export interface TokenPage {
  readonly total: number;
  readonly results: readonly ListEntry[];
}
