// Jobs: pieces of work that wait to be done. Each has a kind and a subject.
import type { FailureCode } from './failure.ts';
import type { TokenGetter } from './token.ts';

/** The subject of a job, for each kind of job. The locale '' stands for the default document. */
interface JobSubjects {
  'list-tokens': { readonly offset: number };
  'fetch-contract': { readonly contractId: string };
  /** Computes an interface that no source contains, in the Clarity VM. */
  'compute-interface': { readonly contractId: string };
  /** Finds the tokens of a collection: requests its last token id from a node. */
  'list-numbers': { readonly tokenId: number; readonly contractId: string };
  /** Requests from a node the values that a token still lacks, by calling its getters. */
  'read-values': { readonly tokenId: number; readonly contractId: string; readonly getters: readonly TokenGetter[] };
  'evaluate-token': { readonly tokenId: number };
  'fetch-document': { readonly tokenId: number; readonly locale: string };
  'fetch-image': { readonly tokenId: number; readonly locale: string };
}

export type JobKind = keyof JobSubjects;

export type NewJob = { [K in JobKind]: { readonly kind: K } & JobSubjects[K] }[JobKind];

/** Identifies a claimed job. If the job is queued again, its generation increases. */
export interface ClaimedJob {
  readonly jobId: number;
  readonly generation: number;
}

export type Job<K extends JobKind = JobKind> = JobSubjects[K] &
  ClaimedJob & {
    readonly kind: K;
    readonly attempts: number;
    /** The code of the last failure. `repeats` is the number of attempts in a row that failed with this code. */
    readonly lastFailure: FailureCode | undefined;
    readonly repeats: number;
  };
