// The messages between the evaluator and its threads.
import type { EpochName } from '#model/chain.ts';
import type { Failure } from '#model/failure.ts';
import type { GetterResult, TokenGetter } from '#model/token.ts';

export interface BlockFacts {
  readonly stacksHeight: number;
  /** The height of the tenure since epoch 3.0, and of the block before. */
  readonly blockHeight: number;
  readonly burnHeight: number;
}

interface Transaction {
  readonly contractId: string;
  /** The address of the sponsor; undefined for a transaction without a sponsor, or if it is unknown. */
  readonly sponsorAddress?: string | undefined;
  readonly block: BlockFacts;
  /** True if the step is skipped because the VM crashes or does not finish on it. A skipped step counts as diverged. */
  readonly isSkipped?: boolean;
}

export interface DeployedSource extends Transaction {
  /** The digest of the deploy's events (clarity/event-digest.ts); undefined if they are unknown. */
  readonly events?: Uint8Array | undefined;
  readonly sourceCode: string;
  readonly clarityVersion: number;
  readonly epoch: EpochName;
}

/** A call that succeeded on chain. */
export interface ReplayedCall extends Transaction {
  readonly functionName: string;
  readonly senderAddress: string;
  /** The arguments as encoded in the transaction: their number (u32), then each serialized Clarity value. */
  readonly args: Uint8Array;
  /**
   * The digest of the call's result and events on chain (clarity/event-digest.ts), which proves that the VM's state
   * matches.
   */
  readonly outcome: Uint8Array;
  /** The epoch of the call's block; undefined for the epoch of the deploy before it. */
  readonly epoch: EpochName | undefined;
}

export type ChainStep = DeployedSource | ReplayedCall;

export function isCall(step: ChainStep): step is ReplayedCall {
  return 'functionName' in step;
}

/**
 * The parts of a token's source to try, in this order: all, all that does not fail, the definitions, the definitions
 * that getters need.
 */
export const SCOPES = ['whole', 'without-failing', 'definitions', 'getters'] as const;
export type Scope = (typeof SCOPES)[number];

/** A getter to call at the end: without an argument, or once for each token id. */
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
  /** The tokens to read. Their sources are among the steps. */
  readonly tokens: readonly TokenReads[];
  readonly tip: BlockFacts;
  /** The epoch in which getters are called; by default, the epoch of the last step. */
  readonly tipEpoch?: EpochName | undefined;
  /** The network that expressions see; undefined for the VM's test network. */
  readonly chainId?: number | undefined;
  /** The contract among the steps whose interface is computed. Then tokens are not read. */
  readonly interfaceOf?: string;
  /** The index of the first step that is not replayed. */
  readonly upTo?: number;
  /** The first scope to try for a single token. It is later than `whole` after a crash in an earlier scope. */
  readonly firstScope?: Scope;
}

export interface TokenResults {
  /** The results of getters, without the supply if `supplyAssets` defines it. */
  readonly answers: readonly GetterResult[];
  /** True if only a part of the source ran, because the rest requires missing state. */
  readonly partial: boolean;
  /** The assets whose minted minus burned amounts are the supply; undefined if the getter computes it differently. */
  readonly supplyAssets?: readonly string[];
}

export interface Replayed {
  /** The results in the order of the request; `clarity-error` if the VM rejected every scope. */
  readonly tokens: readonly (TokenResults | Failure)[];
  /** The indexes of the steps that differed from the chain, including partial deploys. */
  readonly diverged: readonly number[];
  /** The interface as returned by the VM, or the failure if the VM rejected the contract. */
  readonly computed?: { readonly interface: unknown } | Failure;
}

/**
 * The step in progress. `scope` is set while a token is deployed or read; a token that is read counts at its deploy's
 * step.
 */
export interface Progress {
  readonly step: number;
  readonly scope?: Scope;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly replayed: Replayed; readonly isReusable: boolean }
  /** The VM panicked, and the thread is unusable. */
  | { readonly kind: 'crashed'; readonly message: string };
