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

/** A successful contract deploy. Hashes are lower-case hex with a 0x prefix. */
export interface ContractDeploy {
  readonly contractId: string;
  readonly txId: string;
  readonly txIndex: number;
  /** Address of the transaction's origin, never of its sponsor. */
  readonly senderAddress: string;
  readonly sponsorAddress?: string | undefined;
  /** Digests (clarity/event-digest.ts); undefined where they are not known. */
  readonly events?: Uint8Array | undefined;
  /** The version byte of a versioned deploy; undefined where the transaction has none. */
  readonly wireClarityVersion?: number;
  readonly code: PackedCode;
  readonly references: CodeReferences;
  /** Undefined for a contract whose interface is not known. */
  readonly interfaceFacts: InterfaceFacts | undefined;
}

/** A successful contract call. */
export interface ContractCall {
  readonly txId: string;
  readonly txIndex: number;
  /** Address of the transaction's origin, never of its sponsor. */
  readonly senderAddress: string;
  readonly sponsorAddress?: string | undefined;
  /** Digests (clarity/event-digest.ts); undefined where they are not known. */
  readonly events?: Uint8Array | undefined;
  readonly contractId: string;
  readonly functionName: string;
  /** As in the transaction: how many there are (u32), and each as a serialized Clarity value. */
  readonly args: Buffer;
  /** A serialized Clarity value. */
  readonly result: Buffer;
}

/** Fungible tokens minted less burned in one block, in the smallest unit. */
export interface SupplyChange {
  readonly assetIdentifier: string;
  readonly amount: bigint;
}

/** What one block did to a token with a number. */
export interface TokenEvent {
  readonly contractId: string;
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
  /** Those that succeeded, in the order of the observer, packed behind each other: `readCalls` reads them. */
  readonly calls: Uint8Array;
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
