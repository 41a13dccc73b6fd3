// What the evaluator and its threads say to each other.
import type { EpochName } from '#model/chain.ts';
import type { Failure } from '#model/failure.ts';
import type { Evaluation, TokenGetter } from '#model/token.ts';

/** Source to deploy, as it was deployed on chain. */
export interface DeployedSource {
  readonly contractId: string;
  readonly sourceCode: string;
  readonly clarityVersion: number;
  readonly epoch: EpochName;
}

/** A call that succeeded on chain. */
export interface ReplayedCall {
  readonly contractId: string;
  readonly functionName: string;
  readonly senderAddress: string;
  /** As in the transaction: how many there are (u32), and each as a serialized Clarity value. */
  readonly args: Uint8Array;
  /** What it returned on chain, serialized: the proof that the state is the chain's. */
  readonly result: Uint8Array;
  /** Of its block; undefined for that of the deploy before it. */
  readonly epoch: EpochName | undefined;
  /** The getters whose values it may decide, through later calls too. */
  readonly feeds: readonly TokenGetter[];
  /** Whether it is left out, since the VM crashes on it or does not end: it counts as one that diverged. */
  readonly isSkipped?: boolean;
}

/** What happened on chain besides the token's deploy. */
export type ChainStep = DeployedSource | ReplayedCall;

export function isCall(step: ChainStep): step is ReplayedCall {
  return 'functionName' in step;
}

/**
 * How much of the token's source is deployed, in the order in which it is tried: all of it; all but the top-level
 * expressions that fail; its definitions alone; only the definitions that the getters need.
 */
export const SCOPES = ['whole', 'without-failing', 'definitions', 'getters'] as const;
export type Scope = (typeof SCOPES)[number];

/** A getter that is called in the end: without an argument, or with the number of each of these tokens. */
export interface Read {
  readonly getter: TokenGetter;
  readonly tokenNumbers?: readonly string[];
}

/** How many calls they make. */
export function countReads(reads: readonly Read[]): number {
  return reads.reduce((count, { tokenNumbers }) => count + (tokenNumbers?.length ?? 1), 0);
}

export interface EvaluationRequest {
  readonly token: DeployedSource;
  readonly reads: readonly Read[];
  /** What the token refers to, directly or not, and calls of that, in chain order. */
  readonly dependencies: readonly ChainStep[];
  /** What came after the token's deploy. */
  readonly later: readonly ChainStep[];
  /** On mainnet the keywords `is-in-mainnet` and `chain-id` are replaced by what they are there. */
  readonly mainnet: boolean;
  /** Where to begin; a later scope than `whole` after the VM crashed in an earlier one. */
  readonly firstScope: Scope;
}

/**
 * What is being run: the deploy of a contract, that of the token as far as a scope says, or a call, by its place among
 * the calls. What crashes the VM is left out.
 */
export type Step = { readonly contractId: string } | { readonly scope: Scope } | { readonly call: number };

export type WorkerMessage =
  /** The VM is loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'step'; readonly step: Step }
  /** `clarity-error` where the VM refused every scope. */
  | { readonly kind: 'done'; readonly result: Evaluation | Failure; readonly isReusable: boolean }
  /** The VM panicked: the thread is of no more use. */
  | { readonly kind: 'crashed'; readonly message: string };
