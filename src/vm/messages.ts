// What the evaluator and its threads say to each other.
import type { EpochName } from '#model/chain.ts';
import type { Failure } from '#model/failure.ts';
import type { Evaluation } from '#model/token.ts';

/** Source to deploy, as it was deployed on chain. */
export interface DeployedSource {
  readonly contractId: string;
  readonly sourceCode: string;
  readonly clarityVersion: number;
  readonly epoch: EpochName;
}

/**
 * How much of the token's source is deployed, in the order in which it is tried: all of it; all but the top-level
 * expressions that fail; its definitions alone; only the definitions that the getters need.
 */
export const SCOPES = ['whole', 'without-failing', 'definitions', 'getters'] as const;
export type Scope = (typeof SCOPES)[number];

export interface EvaluationRequest {
  readonly token: DeployedSource;
  /** What the token refers to, directly or not, in chain order. */
  readonly dependencies: readonly DeployedSource[];
  /** On mainnet the keywords `is-in-mainnet` and `chain-id` are replaced by what they are there. */
  readonly mainnet: boolean;
  /** Where to begin; a later scope than `whole` after the VM crashed in an earlier one. */
  readonly firstScope: Scope;
}

/** What is being deployed: a dependency, or the token as far as a scope says. What crashes the VM is left out. */
export type Step = { readonly contractId: string } | { readonly scope: Scope };

export type WorkerMessage =
  /** The VM is loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'step'; readonly step: Step }
  /** `clarity-error` where the VM refused every scope. */
  | { readonly kind: 'done'; readonly result: Evaluation | Failure; readonly isReusable: boolean }
  /** The VM panicked: the thread is of no more use. */
  | { readonly kind: 'crashed'; readonly message: string };
