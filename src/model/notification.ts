// SIP-019 notifications: a contract announces that the metadata of tokens changed.

/**
 * SIP-019 update mode. `standard`: read the metadata again once. `frozen`: never again. `dynamic`: every `ttlSeconds`.
 */
export type UpdateMode = 'standard' | 'frozen' | 'dynamic';

export interface MetadataNotification {
  readonly tokenClass: 'ft' | 'nft' | 'sft';
  readonly contractId: string;
  /** Decimal token ids; undefined means every token of the contract. */
  readonly tokenNumbers?: readonly string[];
  readonly updateMode: UpdateMode;
  /** Undefined unless the mode is `dynamic`. */
  readonly ttlSeconds?: number;
}

/** A notification with the print event that contained it. */
export interface PrintedNotification extends MetadataNotification {
  readonly txId: string;
  readonly eventIndex: number;
  readonly emitter: string;
  /** True if the emitter may announce changes of the contract. */
  readonly entitled: boolean;
}
