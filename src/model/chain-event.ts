// What a chain source delivers: blocks and microblocks, reduced to what the index needs.
import type { ContractInterface } from './contract-interface.ts';
import type { Failure } from './failure.ts';

/** A successful contract deploy. Hashes are lower-case hex with a 0x prefix. */
export interface ContractDeploy {
  readonly contractId: string;
  readonly txId: string;
  readonly txIndex: number;
  /** Address of the transaction's origin, never of its sponsor. */
  readonly senderAddress: string;
  /** The version byte of a versioned deploy; undefined where the transaction has none. */
  readonly wireClarityVersion?: number;
  readonly sourceCode: string;
  readonly interface?: ContractInterface;
}

/** Fungible tokens minted less burned in one block, in the smallest unit. */
export interface SupplyChange {
  readonly assetIdentifier: string;
  readonly amount: bigint;
}

/** A committed print event of a successful transaction, values not decoded yet. */
export interface PrintEvent {
  readonly emitter: string;
  readonly txId: string;
  readonly eventIndex: number;
  /** The printed Clarity value, serialized, hex with a 0x prefix. */
  readonly rawValue: string;
  /** The transaction, serialized, hex with a 0x prefix. */
  readonly rawTx: string;
}

/** Trouble with one transaction, which costs that transaction alone. */
export interface TransactionFailure {
  readonly txId: string;
  readonly failure: Failure;
}

interface TransactionFacts {
  /** Chain id of the first transaction that is not a boot deploy, where there is one. */
  readonly chainId?: number;
  readonly burnBlockHeight: number;
  /** When the burn block was mined, in seconds since the epoch, where the observer tells. */
  readonly burnBlockTime?: number;
  readonly parentIndexBlockHash: string;
  readonly deploys: readonly ContractDeploy[];
  readonly failures: readonly TransactionFailure[];
}

export interface BlockEvent extends TransactionFacts {
  readonly kind: 'block';
  readonly indexBlockHash: string;
  readonly height: number;
  readonly supplyChanges: readonly SupplyChange[];
  readonly prints: readonly PrintEvent[];
}

/** Transactions that are streamed before an anchor block confirms them. */
export interface MicroblocksEvent extends TransactionFacts {
  readonly kind: 'microblocks';
}

export type ChainEvent = BlockEvent | MicroblocksEvent;
