// Jobs: pending pieces of work of several kinds, each with its subject.
import type { FailureCode } from './failure.ts';
import type { TokenGetter } from './token.ts';

/** The subject of each kind of job. The locale '' is the default document. */
interface JobSubjects {
  'list-tokens': { readonly offset: number };
  'fetch-contract': { readonly contractId: string };
  /** Requests an interface that is missing in all archives from a node, or from an API in front of a node. */
  'fetch-interface': { readonly contractId: string };
  /** Computes a missing interface in the Clarity VM. */
  'compute-interface': { readonly contractId: string };
  /** Finds the tokens of a collection by requesting its last token id from a node. */
  'list-numbers': { readonly tokenId: number; readonly contractId: string };
  /** Finds the tokens of a collection in an API's list of mints of an asset. */
  'list-mints': {
    readonly tokenId: number;
    readonly contractId: string;
    readonly asset: string;
    readonly offset: number;
  };
  /** Calls the getters that still lack a value at a node. */
  'read-values': { readonly tokenId: number; readonly contractId: string; readonly getters: readonly TokenGetter[] };
  'evaluate-token': { readonly tokenId: number };
  'fetch-document': { readonly tokenId: number; readonly locale: string };
  'fetch-image': { readonly tokenId: number; readonly locale: string };
}

export type JobKind = keyof JobSubjects;

export type NewJob = { [K in JobKind]: { readonly kind: K } & JobSubjects[K] }[JobKind];

/** Identifies a claimed job. Queueing it again increases its generation. */
export interface ClaimedJob {
  readonly jobId: number;
  readonly generation: number;
}

export type Job<K extends JobKind = JobKind> = JobSubjects[K] &
  ClaimedJob & {
    readonly kind: K;
    readonly attempts: number;
    /** Code of the last failure, and the number of consecutive attempts that failed with it. */
    readonly lastFailure: FailureCode | undefined;
    readonly repeats: number;
  };
