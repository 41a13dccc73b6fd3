// Reads the failure that a row keeps in two columns.
import type { FailureCode, Reason } from '#model/failure.ts';

/** Undefined for a row without one. */
export function storedFailure(row: {
  readonly failure_code: string | null;
  readonly failure_message: string | null;
}): Reason | undefined {
  if (row.failure_code === null) return undefined;
  return { code: row.failure_code as FailureCode, message: row.failure_message ?? '' };
}
