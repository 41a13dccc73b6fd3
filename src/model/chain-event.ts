// What a chain source delivers: blocks and microblocks, reduced to what the index needs. It passes between threads, so
// it is plain data.
import type { Failure } from './failure.ts';
import type { PrintedNotification } from './notification.ts';
import type { PackedCode } from './packed-code.ts';
import type { TokenStandard } from './token.ts';

/** What a contract interface says about its contract. */
export interface InterfaceFacts {
  readonly standard: TokenStandard | undefined;
  readonly epoch: string | undefined;
  readonly clarityVersion: number | undefined;
}

/** What a contract may call, and the contracts that it names, as keys (clarity/name-key.ts). */
export interface CodeReferences {
  /** Functions by name, and those that it calls on traits. */
  readonly calls: Float64Array;
  readonly mentions: Float64Array;
}

/**
 * Of the events that a transaction committed, in the order of their indexes: `clarity/event-digest.ts`. Undefined where
 * the block's are not known: it has none, as from an observer that does not subscribe to them, or is too long to hold.
 */
export type EventDigests = Uint8Array | undefined;

/** A successful contract deploy. Hashes are lower-case hex with a 0x prefix. */
export interface ContractDeploy {
  readonly contractId: string;
  readonly txId: string;
  readonly txIndex: number;
  /** Address of the transaction's origin, never of its sponsor. */
  readonly senderAddress: string;
  /** Of a sponsored transaction. */
  readonly sponsorAddress?: string | undefined;
  /** The version byte of a versioned deploy; undefined where the transaction has none. */
  readonly wireClarityVersion?: number;
  readonly code: PackedCode;
  readonly references: CodeReferences;
  /** Undefined for a contract whose interface is not known. */
  readonly interfaceFacts: InterfaceFacts | undefined;
  readonly events?: EventDigests;
}

/** A successful contract call. */
export interface ContractCall {
  readonly txId: string;
  readonly txIndex: number;
  /** Address of the transaction's origin, never of its sponsor. */
  readonly senderAddress: string;
  /** Of a sponsored transaction. */
  readonly sponsorAddress?: string | undefined;
  readonly contractId: string;
  readonly functionName: string;
  /** As in the transaction: how many there are (u32), and each as a serialized Clarity value. */
  readonly args: Buffer;
  /** A serialized Clarity value. */
  readonly result: Buffer;
  readonly events: EventDigests;
}

/** The successful calls of a block: `readCalls` of `clarity/packed-calls.ts` reads them. */
export interface PackedCalls {
  /** Behind each other, in the order of the observer. */
  readonly packed: Uint8Array;
  /** The JSON of the list of the block's events; undefined where {@link EventDigests} are. */
  readonly eventsJson: Uint8Array | undefined;
}

/** Fungible tokens minted less burned in one block, in the smallest unit. */
export interface SupplyChange {
  readonly assetIdentifier: string;
  readonly amount: bigint;
}

/** What one block did to a token with a number. */
export interface TokenEvent {
  readonly contractId: string;
  /** Of the contract's assets, that which was minted or burned; undefined for what a print says. */
  readonly assetName?: string;
  /** Decimal text. */
  readonly tokenNumber: string;
  readonly minted: boolean;
  /** Whether it was burned in the end. */
  readonly burned: boolean;
  /** Whether each owner has an asset of the number, as semi-fungible tokens do: to burn one does not end the token. */
  readonly isOfOwner: boolean;
}

/** Trouble with one transaction or event, which costs that alone. */
export interface TransactionFailure {
  /** The transaction's id, or words that name the event. */
  readonly subject: string;
  readonly failure: Failure;
}

interface TransactionFacts {
  /** Chain id of the first transaction that is not a boot deploy, where there is one. */
  readonly chainId?: number;
  readonly burnBlockHeight: number;
  /** When the burn block was mined, in seconds since the epoch, where the observer says. */
  readonly burnBlockTime?: number;
  readonly parentIndexBlockHash: string;
  readonly deploys: readonly ContractDeploy[];
  readonly failures: readonly TransactionFailure[];
}

export interface BlockEvent extends TransactionFacts {
  readonly kind: 'block';
  readonly indexBlockHash: string;
  readonly height: number;
  readonly calls: PackedCalls;
  readonly supplyChanges: readonly SupplyChange[];
  /** Each token once, in the order of their first events. */
  readonly tokenEvents: readonly TokenEvent[];
  readonly notifications: readonly PrintedNotification[];
}

/** Transactions that are streamed before an anchor block confirms them. */
export interface MicroblocksEvent extends TransactionFacts {
  readonly kind: 'microblocks';
}

export type ChainEvent = BlockEvent | MicroblocksEvent;
