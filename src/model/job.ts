// Jobs: pieces of work that are not done yet, and what each kind of them is about.
import type { FailureCode } from './failure.ts';
import type { TokenGetter } from './token.ts';

/** What a job of each kind is about. A locale of '' is the default document. */
export interface JobSubjects {
  /** Read a page of an API's token list. */
  'list-tokens': { readonly offset: number };
  /** Ask an API about a contract. */
  'fetch-contract': { readonly contractId: string };
  /**
   * Find the tokens of a collection from a page on: by the mints of an asset that an API lists, or for an asset of '' by
   * the last number that a node tells.
   */
  'list-numbers': {
    readonly tokenId: number;
    readonly contractId: string;
    readonly asset: string;
    readonly offset: number;
  };
  /** Call the getters that are left at a node. */
  'read-values': { readonly tokenId: number; readonly contractId: string; readonly getters: readonly TokenGetter[] };
  /** Read the on-chain values in the VM. */
  'evaluate-token': { readonly tokenId: number };
  'fetch-document': { readonly tokenId: number; readonly locale: string };
  /** Copy the image that a document names. */
  'fetch-image': { readonly tokenId: number; readonly locale: string };
}

export type JobKind = keyof JobSubjects;
export type TokenJobKind = Exclude<JobKind, 'list-tokens' | 'fetch-contract'>;

export type NewJob = { [K in JobKind]: { readonly kind: K } & JobSubjects[K] }[JobKind];

export type Job<K extends JobKind = JobKind> = JobSubjects[K] & {
  readonly jobId: number;
  readonly kind: K;
  /** How often it was tried. */
  readonly attempts: number;
  /** Why the last attempt failed, and how many in a row failed so. */
  readonly lastFailure: FailureCode | undefined;
  readonly repeats: number;
};
