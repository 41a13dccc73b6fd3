// The messages between the evaluator and the threads of the VM.
import type { EpochName } from '#model/chain.ts';
import type { Failure } from '#model/failure.ts';
import type { GetterResult, TokenGetter } from '#model/token.ts';

export interface BlockFacts {
  readonly stacksHeight: number;
  /** Since epoch 3.0, the height of the tenure. In earlier epochs, the height of the block. */
  readonly blockHeight: number;
  readonly burnHeight: number;
}

interface Transaction {
  readonly contractId: string;
  readonly block: BlockFacts;
  /** True if the step is skipped because the VM crashes or does not finish on it. Skipped steps count as diverged. */
  readonly isSkipped?: boolean;
}

export interface DeployedSource extends Transaction {
  /** The digest of the deploy's events (clarity/event-digest.ts); undefined if the events are unknown. */
  readonly events?: Uint8Array | undefined;
  readonly sourceCode: string;
  readonly clarityVersion: number;
  readonly epoch: EpochName;
}

/** A call that succeeded on chain. */
export interface ReplayedCall extends Transaction {
  readonly functionName: string;
  readonly senderAddress: string;
  /** The arguments as encoded in the transaction: their number (u32), then each one as a serialized Clarity value. */
  readonly args: Uint8Array;
  /**
   * The digest of the call's result and events on chain (clarity/event-digest.ts). An equal digest proves that the
   * state of the VM matches.
   */
  readonly outcome: Uint8Array;
  /** The epoch of the call's block. If undefined, the call runs in the epoch of the last deploy before it. */
  readonly epoch: EpochName | undefined;
}

export type ChainStep = DeployedSource | ReplayedCall;

export function isCall(step: ChainStep): step is ReplayedCall {
  return 'functionName' in step;
}

/**
 * Scopes: the parts of a token's source to deploy, in the order in which they are tried. They are the complete source,
 * the source without failing expressions, all definitions, and the definitions that getters need.
 */
export const SCOPES = ['whole', 'without-failing', 'definitions', 'getters'] as const;
export type Scope = (typeof SCOPES)[number];

/** A getter to call after all steps: once without an argument, or once for each token id. */
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
  /** The tokens whose getters are called. The steps include the deploys of these tokens. */
  readonly tokens: readonly TokenReads[];
  readonly tip: BlockFacts;
  /** The epoch in which getters are called. If undefined, they are called in the epoch of the last step. */
  readonly tipEpoch?: EpochName | undefined;
  /** The chain id that determines the network for the code; undefined for the VM's test network. */
  readonly chainId?: number | undefined;
  /** The id of a contract in the steps. If set, the VM computes the interface of this contract and reads no tokens. */
  readonly interfaceOf?: string;
  /** The index of the first step that is not replayed; undefined to replay all steps. */
  readonly upTo?: number;
  /** The first scope to try for a single token. After a crash in a scope, it is the next scope. */
  readonly firstScope?: Scope;
}

export interface TokenResults {
  /** The results of getters. Excludes the supply if `supplyAssets` is set. */
  readonly results: readonly GetterResult[];
  /** True if only a part of the source ran, because the rest requires state that the VM lacks. */
  readonly partial: boolean;
  /** The assets whose minted minus burned amounts are the supply; undefined if the getter computes it differently. */
  readonly supplyAssets?: readonly string[];
}

export interface Replayed {
  /**
   * The results of the tokens in the order of the request; `clarity-error` if the VM rejected every scope of a token.
   */
  readonly tokens: readonly (TokenResults | Failure)[];
  /** The indexes of the steps whose effects differ from the chain, including partial deploys. */
  readonly diverged: readonly number[];
  /** The indexes of deploys that left out valid code because of the names in later sources. */
  readonly dependent: readonly number[];
  /** The interface in the format of the VM's package, or the failure if the VM rejected the contract. */
  readonly computed?: { readonly interface: unknown } | Failure;
}

/**
 * The step in progress. `scope` is set while the VM deploys a token or calls its getters. During getters, `step` is the
 * deploy of the token.
 */
export interface Progress {
  readonly step: number;
  readonly scope?: Scope;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly replayed: Replayed; readonly isReusable: boolean }
  /** The VM panicked. The thread cannot be used any more. */
  | { readonly kind: 'crashed'; readonly message: string };
