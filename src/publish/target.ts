// Defines the interface of a publish target, which stores objects with headers by key, and the options of a publish.

import type { Reporter } from '#model/reporter.ts';
import type { ObjectHeaders } from '#serving/handle-request.ts';
import type { PlannedChange } from './published-record.ts';

export interface TargetObject {
  /** The key, relative to the prefix of the target, without a leading slash. */
  readonly key: string;
  readonly body: Uint8Array;
  /** SHA-256 of the body, hex, if known. */
  readonly sha256?: string | undefined;
  readonly headers: ObjectHeaders;
}

/**
 * A publish target. Its functions retry failed requests. They throw FailureError, which is retryable if a later publish
 * may succeed.
 */
export interface Target extends AsyncDisposable {
  readonly name: string;
  /** Returns the bytes of an object; undefined if it is missing. */
  read(key: string): Promise<Buffer | undefined>;
  /** Writes a complete object or none. `onlyIfNew`: keeps an existing object, if the storage supports that. */
  write(object: TargetObject, options?: { readonly onlyIfNew?: boolean }): Promise<'written' | 'exists'>;
  /** Removes an object, which may be missing. */
  remove(key: string): Promise<void>;
  /** Yields the keys that begin with a prefix, in groups. */
  list(prefix?: string): AsyncGenerator<readonly string[]>;
}

export interface PublishOptions {
  readonly out: string;
  readonly target: Target;
  readonly concurrency: number;
  readonly maxDeletes: number;
  /** True to continue a publish that was interrupted on another machine. */
  readonly takeOver: boolean;
  /**
   * True to replace a site of another chain, a site with more than twice as many files, and files that stxpress did not
   * write.
   */
  readonly replace: boolean;
  /** For a dry run: called with each file to upload or remove, instead of changing the target. */
  readonly onPlanned?: ((change: PlannedChange) => void) | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** The factor by which pauses are shorter, for tests. */
  readonly speedUp?: number;
}
