// SIP-019 notifications: a contract announces that the metadata of tokens changed.

/**
 * What a SIP-019 notification asks for. `standard`: read the metadata again once. `frozen`: never read it again.
 * `dynamic`: read it again every `ttlSeconds`.
 */
export type UpdateMode = 'standard' | 'frozen' | 'dynamic';

export interface MetadataNotification {
  readonly tokenClass: 'ft' | 'nft' | 'sft';
  readonly contractId: string;
  /** Decimal token ids. Undefined if the notification is about all tokens of the contract. */
  readonly tokenNumbers?: readonly string[];
  readonly updateMode: UpdateMode;
  /** The interval in seconds. Undefined unless the mode is `dynamic`. */
  readonly ttlSeconds?: number;
}

/** A notification, and the print event that contained it. */
export interface PrintedNotification extends MetadataNotification {
  readonly txId: string;
  readonly eventIndex: number;
  readonly emitter: string;
  /** True if the emitter may announce changes of the contract. */
  readonly entitled: boolean;
}
