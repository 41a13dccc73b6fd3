// Types of the answers that pages draw, as the routes describe them: neither can change alone. No code comes along.
import type { ListEntry } from '#routes/collection-tokens.ts';
import type { TokenResponse } from '#routes/token-response.ts';

export type { ApiStatus } from '#routes/api-status.ts';
export type { ContractGraph } from '#routes/contract-graph.ts';
export type { ContractInfo } from '#routes/contract-info.ts';
export type { Days } from '#routes/days.ts';
export type { NumberedResponse } from '#routes/numbered-metadata.ts';
export type { CollectionStatus, TokenStatus } from '#routes/token-status.ts';
export type { TokenResponse };

export type Metadata = NonNullable<TokenResponse['metadata']>;

export interface TokenPage {
  readonly total: number;
  readonly results: readonly ListEntry[];
}
