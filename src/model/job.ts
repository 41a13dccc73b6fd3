// Jobs: pending pieces of work, and the subject of each kind.
import type { FailureCode } from './failure.ts';
import type { TokenGetter } from './token.ts';

/** Subject of each kind of job. A locale of '' is the default document. */
interface JobSubjects {
  'list-tokens': { readonly offset: number };
  'fetch-contract': { readonly contractId: string };
  /** Requests an interface that no archive has from a node, or from an API, which proxies one. */
  'fetch-interface': { readonly contractId: string };
  /** Computes a missing interface in the VM. */
  'compute-interface': { readonly contractId: string };
  /** Finds the tokens of a collection from the last token id at a node. */
  'list-numbers': { readonly tokenId: number; readonly contractId: string };
  /** Finds the tokens of a collection in an API's list of mints of an asset. */
  'list-mints': {
    readonly tokenId: number;
    readonly contractId: string;
    readonly asset: string;
    readonly offset: number;
  };
  /** Calls the remaining getters at a node. */
  'read-values': { readonly tokenId: number; readonly contractId: string; readonly getters: readonly TokenGetter[] };
  'evaluate-token': { readonly tokenId: number };
  'fetch-document': { readonly tokenId: number; readonly locale: string };
  'fetch-image': { readonly tokenId: number; readonly locale: string };
}

export type JobKind = keyof JobSubjects;

export type NewJob = { [K in JobKind]: { readonly kind: K } & JobSubjects[K] }[JobKind];

/** A job as its attempt found it. Queueing it again raises the generation. */
export interface ClaimedJob {
  readonly jobId: number;
  readonly generation: number;
}

export type Job<K extends JobKind = JobKind> = JobSubjects[K] &
  ClaimedJob & {
    readonly kind: K;
    readonly attempts: number;
    /** Code of the last failure, and how many attempts in a row failed with it. */
    readonly lastFailure: FailureCode | undefined;
    readonly repeats: number;
  };
