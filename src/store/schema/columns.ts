// Column types that tables share.
import type { FailureCode } from '#model/failure.ts';

export type Flag = 0 | 1;
/** Milliseconds since the epoch. */
export type Time = number;
/** JSON text, read with readStoredJson. */
export type Json = string;

/** Both columns are null if nothing failed. */
export interface FailureColumns {
  failure_code: FailureCode | null;
  failure_message: string | null;
}
