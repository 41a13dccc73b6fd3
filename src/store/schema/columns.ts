// Kinds of columns that tables share.
import type { FailureCode } from '#model/failure.ts';

export type Flag = 0 | 1;
/** Milliseconds since the epoch. */
export type Time = number;
/** JSON text; readStoredJson reads it. */
export type Json = string;

/** Both are null where nothing failed. */
export interface FailureColumns {
  failure_code: FailureCode | null;
  failure_message: string | null;
}
