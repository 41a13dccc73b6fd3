// SIP-019: a contract's notice that token metadata has changed, and where it was printed.

/** SIP-019 update mode: read again once, never again, or again every `ttlSeconds`. */
export type UpdateMode = 'standard' | 'frozen' | 'dynamic';

export interface MetadataNotification {
  readonly tokenClass: 'ft' | 'nft' | 'sft';
  readonly contractId: string;
  /** Decimal token ids; undefined means every token of the contract. */
  readonly tokenNumbers?: readonly string[];
  readonly updateMode: UpdateMode;
  /** Only in mode `dynamic`. */
  readonly ttlSeconds?: number;
}

export interface PrintedNotification extends MetadataNotification {
  readonly txId: string;
  readonly eventIndex: number;
  readonly emitter: string;
  /** True if its emitter is authorized to speak for the contract. */
  readonly entitled: boolean;
}
