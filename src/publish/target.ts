// The contract of a storage to publish to, objects by key, each with headers, and the options of publishing to it.

import type { Reporter } from '#model/reporter.ts';
import type { ObjectHeaders } from '#serving/answer-request.ts';
import type { PlannedChange } from './published.ts';

export interface TargetObject {
  /** Without a slash in front; below what the user named. */
  readonly key: string;
  readonly body: Uint8Array;
  /** SHA-256 of the body, hex, if known. */
  readonly sha256?: string | undefined;
  readonly headers: ObjectHeaders;
}

/** Requests are tried again where that may help. All throw FailureError, retryable where publishing again may go on. */
export interface Target extends AsyncDisposable {
  readonly name: string;
  /** The bytes of an object; undefined where there is none. */
  read(key: string): Promise<Buffer | undefined>;
  /** Writes it whole or not at all. `onlyIfNew`: not where there is one, as far as the storage can tell. */
  write(object: TargetObject, options?: { readonly onlyIfNew?: boolean }): Promise<'written' | 'exists'>;
  /** An object that is not there is no failure. */
  remove(key: string): Promise<void>;
  /** The keys that begin with a prefix, some at a time. */
  list(prefix?: string): AsyncGenerator<readonly string[]>;
  /** Writes many objects together, each whole or not at all; undefined if that is not faster than one by one. */
  writeRun?(objects: readonly TargetObject[]): Promise<void>;
  /** True if it stores headers with the objects. */
  readonly hasHeaders: boolean;
}

export interface PublishOptions {
  readonly out: string;
  readonly target: Target;
  readonly concurrency: number;
  readonly maxDeletes: number;
  /** Go on with a publish that was begun elsewhere and died. */
  readonly takeOver: boolean;
  /** Replace the site of another chain, a site of more than twice the files, and files of others. */
  readonly replace: boolean;
  /** Called with each file that would be sent or removed; none is. */
  readonly onPlanned?: ((change: PlannedChange) => void) | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** For tests: by how much pauses are shorter. */
  readonly haste?: number;
}
