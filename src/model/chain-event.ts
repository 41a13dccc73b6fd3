// Events of a chain source, reduced to what the index needs: plain data, since they pass between threads.
import type { ChainFailure } from './failure.ts';
import type { PrintedNotification } from './notification.ts';
import type { PackedCode } from './packed-code.ts';
import type { TokenStandard } from './token.ts';

export interface InterfaceFacts {
  readonly standard: TokenStandard | undefined;
  readonly epoch: string | undefined;
  readonly clarityVersion: number | undefined;
}

/** Facts from the text of a source, found without parsing it (clarity/find-names.ts). */
export interface CodeReferences {
  /**
   * Functions that it may call, and traits that it implements or uses, each once: `contract-call? SP….name function`,
   * `contract-call? * function` on a trait, `impl-trait SP….name trait`, `use-trait SP….name trait`.
   */
  readonly names: readonly string[];
  /** True if its deploy may call other contracts. */
  readonly callsAtDeploy: boolean;
  /** Its public and read-only functions, sorted and joined by spaces, and the SHA-256 of this text. */
  readonly functions: string;
  readonly functionsHash: string;
  /** SHA-256 of the source: a shorter key could be forged, to pass for a copy of another contract. */
  readonly sourceHash: string;
}

/** `clarity/event-digest.ts`. Undefined if the observer sends no events of the block, or too many to hold. */
type EventDigests = Uint8Array | undefined;

/** A successful transaction. Hashes are lower-case hex with a 0x prefix. */
interface Transaction {
  readonly contractId: string;
  readonly txId: string;
  readonly txIndex: number;
  /** Address of the transaction's origin, never of its sponsor. */
  readonly senderAddress: string;
  /** Only in a sponsored transaction. */
  readonly sponsorAddress?: string | undefined;
}

export interface ContractDeploy extends Transaction {
  /** Version byte of a versioned deploy; undefined if the transaction has none. */
  readonly wireClarityVersion?: number;
  readonly code: PackedCode;
  readonly references: CodeReferences;
  /** Undefined if the contract's interface is unknown. */
  readonly interfaceFacts: InterfaceFacts | undefined;
  /** Derived from the source if the interface is unknown (standards/classify-source.ts). */
  readonly likelyStandard?: TokenStandard | undefined;
  readonly events?: EventDigests;
}

export interface ContractCall extends Transaction {
  readonly functionName: string;
  /** Encoded as in the transaction: their number (u32), then each as a serialized Clarity value. */
  readonly args: Buffer;
  /** Digest of its result and events (clarity/event-digest.ts). */
  readonly outcome: Buffer;
}

/** Fungible tokens minted minus burned in one block, in the smallest unit. */
export interface SupplyChange {
  readonly assetIdentifier: string;
  readonly amount: bigint;
}

/** The effect of one block on a token of a collection. */
export interface TokenEvent {
  readonly contractId: string;
  /** The contract's asset that was minted or burned; undefined if the event is a print. */
  readonly assetName?: string;
  /** Decimal token id. */
  readonly tokenNumber: string;
  readonly minted: boolean;
  /** True if it was burned in the end. */
  readonly burned: boolean;
  /** True if each owner has a separate asset with this id, as for SFTs: burning one does not end the token. */
  readonly isOfOwner: boolean;
}

interface TransactionFacts {
  /** Chain id of the first transaction that is not a boot deploy, if there is one. */
  readonly chainId?: number;
  readonly burnBlockHeight: number;
  /** Time at which the burn block was mined, in seconds since the epoch, if the observer sends it. */
  readonly burnBlockTime?: number;
  readonly parentIndexBlockHash: string;
  readonly deploys: readonly ContractDeploy[];
  /** Each loses one transaction or event. */
  readonly failures: readonly ChainFailure[];
}

export interface BlockEvent extends TransactionFacts {
  readonly kind: 'block';
  readonly indexBlockHash: string;
  readonly height: number;
  /** Number of tenures up to this one, if the observer sends it. */
  readonly tenureHeight?: number;
  /** If a transaction begins or extends the tenure: true if the tenure sees no burn block after its own. */
  readonly seesOwnBurnBlock?: boolean;
  /** The successful calls in the observer's order, read with `readCalls` of `clarity/packed-calls.ts`. */
  readonly calls: Uint8Array;
  readonly supplyChanges: readonly SupplyChange[];
  /** Each token once, in the order of its first event. */
  readonly tokenEvents: readonly TokenEvent[];
  readonly notifications: readonly PrintedNotification[];
}

/** Transactions streamed before an anchor block confirms them. */
interface MicroblocksEvent extends TransactionFacts {
  readonly kind: 'microblocks';
}

export type ChainEvent = BlockEvent | MicroblocksEvent;
