// Events of a chain source, with only the data that the index needs. They are plain data, so that threads can exchange
// them.
import type { ChainFailure } from './failure.ts';
import type { PackedCode } from './packed-code.ts';
import type { TokenStandard } from './token.ts';

export interface InterfaceFacts {
  readonly standard: TokenStandard | undefined;
  readonly epoch: string | undefined;
  readonly clarityVersion: number | undefined;
}

/** Facts that a source shows (clarity/find-names.ts). */
export interface CodeReferences {
  /**
   * The traits that the contract implements or uses, and the functions that it may call, each once, up to a limit. Forms:
   * `contract-call? SP….name function`, `contract-call? * function` for a call through a trait, `impl-trait SP….name
   * trait`, `use-trait SP….name trait`.
   */
  readonly names: readonly string[];
  /** True if the contract may call other contracts while it is deployed. */
  readonly callsAtDeploy: boolean;
  /** SHA-256 of the source. A shorter hash could be forged, to make a contract look like a copy of another contract. */
  readonly sourceHash: string;
}

/**
 * Digests of a transaction's events (clarity/event-digest.ts). Undefined if the observer does not send the events, or
 * if they are too many to store.
 */
type EventDigests = Uint8Array | undefined;

/** A successful transaction. Hashes are lower-case hex with a 0x prefix. */
interface Transaction {
  readonly contractId: string;
  readonly txId: string;
  readonly txIndex: number;
  /** The address of the transaction's origin, even if another account pays as its sponsor. */
  readonly senderAddress: string;
}

export interface ContractDeploy extends Transaction {
  /** The Clarity version that the deploy declares; undefined if it declares none. */
  readonly wireClarityVersion?: number;
  readonly code: PackedCode;
  readonly references: CodeReferences;
  /** Undefined if the contract's interface is unknown. */
  readonly interfaceFacts: InterfaceFacts | undefined;
  /** The standard that the definitions of the source follow, if the interface is unknown. */
  readonly sourceStandard?: TokenStandard | undefined;
  readonly events?: EventDigests;
}

/** The amount of a fungible token that one block minted, minus the amount that it burned, in the smallest unit. */
export interface SupplyChange {
  readonly assetIdentifier: string;
  readonly amount: bigint;
}

/** The effect of one block on a token of a collection. */
export interface TokenEvent {
  readonly contractId: string;
  /** The asset of the contract that was minted or burned. Undefined for a print event. */
  readonly assetName?: string;
  /** Decimal token id. */
  readonly tokenNumber: string;
  readonly minted: boolean;
  /** True if the last event of this token in the block burned it. */
  readonly burned: boolean;
  /**
   * True if each owner has a separate asset with this token id, as in SIP-013. The token then exists even after one of
   * the assets is burned.
   */
  readonly isOfOwner: boolean;
}

interface TransactionFacts {
  /** The chain id of the first transaction that is not a boot deploy; undefined without such a transaction. */
  readonly chainId?: number;
  readonly burnBlockHeight: number;
  /** Time at which the burn block was mined, in Unix seconds; undefined if the observer does not send it. */
  readonly burnBlockTime?: number;
  readonly parentIndexBlockHash: string;
  readonly deploys: readonly ContractDeploy[];
  /** Failures. Each one excludes one transaction, or one event, from the index. */
  readonly failures: readonly ChainFailure[];
}

export interface BlockEvent extends TransactionFacts {
  readonly kind: 'block';
  readonly indexBlockHash: string;
  readonly height: number;
  /** The number of tenures up to this block's tenure, including it; undefined if the observer does not send it. */
  readonly tenureHeight?: number;
  /**
   * True if the tenure's own burn block is the last burn block that the tenure sees. Undefined unless a transaction
   * begins or extends the tenure.
   */
  readonly seesOwnBurnBlock?: boolean;
  /**
   * The successful calls in the order in which the observer sends them. `readCalls` of `clarity/packed-calls.ts` reads
   * them.
   */
  readonly calls: Uint8Array;
  readonly supplyChanges: readonly SupplyChange[];
  /** One event for each token, in the order of each token's first event in the block. */
  readonly tokenEvents: readonly TokenEvent[];
  readonly notifications: readonly PrintedNotification[];
}

/** Transactions that were streamed before an anchor block confirmed them. */
interface MicroblocksEvent extends TransactionFacts {
  readonly kind: 'microblocks';
}

export type ChainEvent = BlockEvent | MicroblocksEvent;

/**
 * The reaction that a SIP-019 notification requests. `standard`: read the metadata again once. `frozen`: never read it again.
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

/**
 * The calls of a block without calls. Many blocks share this array, so its memory must not be transferred to a thread.
 */
export const NO_CALLS = new Uint8Array(0);

/** True if a block contains anything that the index stores. */
export function hasContent({
  deploys,
  failures,
  calls,
  supplyChanges,
  tokenEvents,
  notifications,
}: BlockEvent): boolean {
  const items = deploys.length + failures.length + supplyChanges.length + tokenEvents.length + notifications.length;
  return items > 0 || calls.byteLength > 0;
}
