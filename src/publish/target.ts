// The contract of a storage to publish to: objects by key, each with headers.
import type { Failure } from '#model/failure.ts';

export interface TargetObject {
  /** Without a slash in front; below what the user named. */
  readonly key: string;
  readonly body: Uint8Array;
  /** Of the body, hex, where it is known. */
  readonly sha256?: string;
  readonly headers: { readonly 'Content-Type': string; readonly 'Cache-Control': string };
}

export interface ListedObject {
  readonly key: string;
  /** MD5 of its bytes, hex; undefined where the storage does not say. */
  readonly md5: string | undefined;
}

export interface ListOptions {
  /** A folder, with a slash at its end. */
  readonly prefix?: string;
  readonly isAny?: boolean;
}

/** Failures that are retryable may go well if they are tried again; the others end a publish. */
export interface Target {
  /** As the user named it. */
  readonly name: string;
  /** The bytes of an object; undefined where there is none. */
  read(key: string): Promise<Buffer | undefined | Failure>;
  /** Writes it whole or not at all. `onlyIfNew`: not where there is one, as far as the storage can tell. */
  write(object: TargetObject, options?: { readonly onlyIfNew?: boolean }): Promise<'written' | 'exists' | Failure>;
  /** An object that is not there is no failure. */
  remove(key: string): Promise<'removed' | Failure>;
  /** Objects whose key begins with `prefix`, some at a time; one at most if only `isAny` matters. Throws FailureError. */
  list(options?: ListOptions): AsyncGenerator<readonly ListedObject[]>;
  close(): Promise<void>;
}
