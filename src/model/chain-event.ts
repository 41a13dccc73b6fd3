// Events of a chain source, reduced to the data that the index needs. They are plain data, since threads exchange them.
import type { ChainFailure } from './failure.ts';
import type { PrintedNotification } from './notification.ts';
import type { PackedCode } from './packed-code.ts';
import type { TokenStandard } from './token.ts';

export interface InterfaceFacts {
  readonly standard: TokenStandard | undefined;
  readonly epoch: string | undefined;
  readonly clarityVersion: number | undefined;
}

/** Facts found in the text of a source without parsing it (clarity/find-names.ts). */
export interface CodeReferences {
  /**
   * Functions that the contract may call, and traits that it implements or uses, each once: `contract-call? SP….name
   * function`, `contract-call? * function` on a trait, `impl-trait SP….name trait`, `use-trait SP….name trait`.
   */
  readonly names: readonly string[];
  /** True if the deploy may call other contracts. */
  readonly callsAtDeploy: boolean;
  /** The public and read-only functions, sorted and joined by spaces, and the SHA-256 of this text. */
  readonly functions: string;
  readonly functionsHash: string;
  /** SHA-256 of the source. A shorter key could be forged to pass a contract off as a copy of another. */
  readonly sourceHash: string;
}

/**
 * Digests of the events (clarity/event-digest.ts). Undefined if the observer does not send the events of the block, or
 * if they are too many to store.
 */
type EventDigests = Uint8Array | undefined;

/** A successful transaction. Hashes are lower-case hex with a 0x prefix. */
interface Transaction {
  readonly contractId: string;
  readonly txId: string;
  readonly txIndex: number;
  /** Address of the transaction's origin, even if a sponsor pays. */
  readonly senderAddress: string;
  /** Undefined unless the transaction is sponsored. */
  readonly sponsorAddress?: string | undefined;
}

export interface ContractDeploy extends Transaction {
  /** Version byte of the deploy; undefined in an unversioned deploy. */
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
  /** The number of arguments (u32), then each argument as a serialized Clarity value, as in the transaction. */
  readonly args: Buffer;
  /** Digest of the call's result and events (clarity/event-digest.ts). */
  readonly outcome: Buffer;
}

/** The fungible tokens minted minus those burned in one block, in the smallest unit. */
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
  /** True if the last event of the block burned the token. */
  readonly burned: boolean;
  /** True if each owner has a separate asset with this id, as in SIP-013. Burning one asset does not end the token. */
  readonly isOfOwner: boolean;
}

interface TransactionFacts {
  /** Chain id of the first transaction that is not a boot deploy; undefined without such a transaction. */
  readonly chainId?: number;
  readonly burnBlockHeight: number;
  /** Time at which the burn block was mined, in Unix seconds; undefined if the observer does not send it. */
  readonly burnBlockTime?: number;
  readonly parentIndexBlockHash: string;
  readonly deploys: readonly ContractDeploy[];
  /** Failures, each of which excludes one transaction or event. */
  readonly failures: readonly ChainFailure[];
}

export interface BlockEvent extends TransactionFacts {
  readonly kind: 'block';
  readonly indexBlockHash: string;
  readonly height: number;
  /** Number of tenures up to and including this one; undefined if the observer does not send it. */
  readonly tenureHeight?: number;
  /** Defined if a transaction begins or extends the tenure: true if the tenure's own burn block is the last it sees. */
  readonly seesOwnBurnBlock?: boolean;
  /** The successful calls in the observer's order, read with `readCalls` of `clarity/packed-calls.ts`. */
  readonly calls: Uint8Array;
  readonly supplyChanges: readonly SupplyChange[];
  /** One event per token, in the order of the tokens' first events. */
  readonly tokenEvents: readonly TokenEvent[];
  readonly notifications: readonly PrintedNotification[];
}

/** Transactions streamed before an anchor block confirms them. */
interface MicroblocksEvent extends TransactionFacts {
  readonly kind: 'microblocks';
}

export type ChainEvent = BlockEvent | MicroblocksEvent;
