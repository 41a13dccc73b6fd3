// What the evaluator and its threads say to each other.
import type { EpochName } from '#model/chain.ts';
import type { Failure } from '#model/failure.ts';
import type { GetterAnswer, TokenGetter } from '#model/token.ts';

/** What a transaction could see of its block. */
export interface BlockFacts {
  readonly stacksHeight: number;
  readonly burnHeight: number;
}

interface Transaction {
  readonly contractId: string;
  /** Undefined where the transaction has none, or where that is not known. */
  readonly sponsorAddress?: string | undefined;
  /** Digests of its events (clarity/event-digest.ts); undefined where they are not known. */
  readonly events?: Uint8Array | undefined;
  readonly block: BlockFacts;
  /** Whether it is left out, since the VM crashes on it or does not end: it counts as one that diverged. */
  readonly isSkipped?: boolean;
}

/** Source to deploy, as it was deployed on chain. */
export interface DeployedSource extends Transaction {
  readonly sourceCode: string;
  readonly clarityVersion: number;
  readonly epoch: EpochName;
}

/** A call that succeeded on chain. */
export interface ReplayedCall extends Transaction {
  readonly functionName: string;
  readonly senderAddress: string;
  /** As in the transaction: how many there are (u32), and each as a serialized Clarity value. */
  readonly args: Uint8Array;
  /** What it returned on chain, serialized: the proof that the state is the chain's. */
  readonly result: Uint8Array;
  /** Of its block; undefined for that of the deploy before it. */
  readonly epoch: EpochName | undefined;
}

export type ChainStep = DeployedSource | ReplayedCall;

export function isCall(step: ChainStep): step is ReplayedCall {
  return 'functionName' in step;
}

/**
 * How much of a token's source is deployed, in the order in which it is tried: all of it; all but the top-level
 * expressions that fail; its definitions alone; only the definitions that the getters need.
 */
export const SCOPES = ['whole', 'without-failing', 'definitions', 'getters'] as const;
export type Scope = (typeof SCOPES)[number];

/** A getter that is called in the end: without an argument, or with the number of each of these tokens. */
export interface Read {
  readonly getter: TokenGetter;
  readonly tokenNumbers?: readonly string[];
}

/** A token, or a collection, and what is read of it. */
export interface TokenReads {
  readonly contractId: string;
  readonly reads: readonly Read[];
}

/** How many calls they make. */
export function countReads(tokens: readonly TokenReads[]): number {
  const reads = tokens.flatMap((token) => token.reads);
  return reads.reduce((count, { tokenNumbers }) => count + (tokenNumbers?.length ?? 1), 0);
}

export interface ReplayRequest {
  /** What happened on chain, in its order. */
  readonly steps: readonly ChainStep[];
  /** Whose sources are among the steps. */
  readonly tokens: readonly TokenReads[];
  /** The tip, at which getters are called. */
  readonly tip: BlockFacts;
  /** On mainnet what tells the network is replaced by what it is there. */
  readonly mainnet: boolean;
  /** The call, by its place among the steps, before which the replay ends. */
  readonly upTo?: number;
  /** Conditions that held on chain, and are not checked in {@link unguardedCalls}: places in sources, by contract. */
  readonly guards?: ReadonlyMap<string, readonly Place[]>;
  readonly unguardedCalls?: ReadonlySet<number>;
  /** Where to begin, for one token alone; a later scope than `whole` after the VM crashed in an earlier one. */
  readonly firstScope?: Scope;
}

/** Offsets in a source, the end excluded. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** What was read of a token. */
export interface TokenAnswers {
  /** Of the supply only where `supplyAssets` does not say it. */
  readonly answers: readonly GetterAnswer[];
  /** Whether only a part of the source ran, because the rest needs state that is not there. */
  readonly partial: boolean;
  /**
   * Fungible tokens of the contract whose mints less burns are the supply; undefined if the getter computes it
   * otherwise.
   */
  readonly supplyAssets?: readonly string[];
}

export interface Replayed {
  /** As they were given; `clarity-error` where the VM refused every scope. */
  readonly tokens: readonly (TokenAnswers | Failure)[];
  /** The steps that did not do what they did on chain, by their place: deploys that ran in part, too. */
  readonly diverged: readonly number[];
}

/** The step that is being run, by its place; of a token that is deployed also how much of it. */
export interface Progress {
  readonly step: number;
  readonly scope?: Scope;
}

export type WorkerMessage =
  /** The VM is loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly replayed: Replayed; readonly isReusable: boolean }
  /** The VM panicked: the thread is of no more use. */
  | { readonly kind: 'crashed'; readonly message: string };
