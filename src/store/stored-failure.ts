// The failure that a row keeps in two columns, to and from the model.
import type { FailureCode, Reason } from '#model/failure.ts';

interface FailureColumns {
  readonly failure_code: FailureCode | null;
  readonly failure_message: string | null;
}

/** Undefined for a row without one. */
export function storedFailure({ failure_code: code, failure_message: message }: FailureColumns): Reason | undefined {
  return code === null ? undefined : { code, message: message ?? '' };
}

/** Both are null without a failure. */
export function failureColumns(failure: Reason | undefined): FailureColumns {
  return { failure_code: failure?.code ?? null, failure_message: failure?.message ?? null };
}
