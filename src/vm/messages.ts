// Messages between the evaluator and its threads.
import type { EpochName } from '#model/chain.ts';
import type { Failure } from '#model/failure.ts';
import type { GetterResult, TokenGetter } from '#model/token.ts';

export interface BlockFacts {
  readonly stacksHeight: number;
  /** From epoch 3.0 on that of the tenure. */
  readonly blockHeight: number;
  readonly burnHeight: number;
}

interface Transaction {
  readonly contractId: string;
  /** Undefined if the transaction has none, or if it is unknown. */
  readonly sponsorAddress?: string | undefined;
  readonly block: BlockFacts;
  /** True if it is skipped, because the VM crashes on it or does not end: it counts as diverged. */
  readonly isSkipped?: boolean;
}

export interface DeployedSource extends Transaction {
  /** Digests of its events (clarity/event-digest.ts); undefined if they are unknown. */
  readonly events?: Uint8Array | undefined;
  readonly sourceCode: string;
  readonly clarityVersion: number;
  readonly epoch: EpochName;
}

/** A call that succeeded on chain. */
export interface ReplayedCall extends Transaction {
  readonly functionName: string;
  readonly senderAddress: string;
  /** Encoded as in the transaction: their number (u32), then each as a serialized Clarity value. */
  readonly args: Uint8Array;
  /** Digest of its result and events on chain (clarity/event-digest.ts): it proves that the state matches the chain's. */
  readonly outcome: Uint8Array;
  /** Epoch of its block; undefined for that of the deploy before it. */
  readonly epoch: EpochName | undefined;
}

export type ChainStep = DeployedSource | ReplayedCall;

export function isCall(step: ChainStep): step is ReplayedCall {
  return 'functionName' in step;
}

/** Parts of a token's source, in the order tried: all; all that does not fail; definitions; those that getters need. */
export const SCOPES = ['whole', 'without-failing', 'definitions', 'getters'] as const;
export type Scope = (typeof SCOPES)[number];

/** A getter to call at the end: without an argument, or with each of these token ids. */
export interface Read {
  readonly getter: TokenGetter;
  readonly tokenNumbers?: readonly string[];
}

export interface TokenReads {
  readonly contractId: string;
  readonly reads: readonly Read[];
}

export function countReads(tokens: readonly TokenReads[]): number {
  const reads = tokens.flatMap((token) => token.reads);
  return reads.reduce((count, { tokenNumbers }) => count + (tokenNumbers?.length ?? 1), 0);
}

export interface ReplayRequest {
  readonly steps: readonly ChainStep[];
  /** Tokens to read, whose sources are among the steps. */
  readonly tokens: readonly TokenReads[];
  readonly tip: BlockFacts;
  /** The epoch in which getters are called; by default, the epoch of the last step. */
  readonly tipEpoch?: EpochName | undefined;
  /** Where expressions that depend on the network are to be evaluated; undefined for the VM's own test network. */
  readonly chainId?: number | undefined;
  /** A contract among the steps whose interface is computed, instead of tokens. */
  readonly interfaceOf?: string;
  /** Index of the step before which the replay ends. */
  readonly upTo?: number;
  /** The first scope to try, for a single token: later than `whole` after the VM crashed in an earlier one. */
  readonly firstScope?: Scope;
}

export interface TokenResults {
  /** Includes the supply only if `supplyAssets` does not define it. */
  readonly answers: readonly GetterResult[];
  /** True if only part of the source ran, because the rest needs missing state. */
  readonly partial: boolean;
  /** Assets whose minted minus burned sum is the supply; undefined if the getter computes it otherwise. */
  readonly supplyAssets?: readonly string[];
}

export interface Replayed {
  /** Results in the order of the request; `clarity-error` if the VM refused every scope. */
  readonly tokens: readonly (TokenResults | Failure)[];
  /** Indexes of the steps that differed from the chain, including deploys that ran in part. */
  readonly diverged: readonly number[];
  /** As the VM returns it, or why the VM refused the contract. */
  readonly computed?: { readonly interface: unknown } | Failure;
}

/** Index of the step in progress, and the scope of a token that is deployed. While one is read: of its deploy. */
export interface Progress {
  readonly step: number;
  readonly scope?: Scope;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly replayed: Replayed; readonly isReusable: boolean }
  /** The VM panicked, so the thread cannot be used any more. */
  | { readonly kind: 'crashed'; readonly message: string };
