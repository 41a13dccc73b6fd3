// Converts between a failure and the two columns that store it.
import type { Reason } from '#model/failure.ts';
import type { FailureColumns } from './schema/columns.ts';

export function storedFailure({ failure_code: code, failure_message: message }: FailureColumns): Reason | undefined {
  return code === null ? undefined : { code, message: message ?? '' };
}

export function failureColumns(failure: Reason | undefined): FailureColumns {
  return { failure_code: failure?.code ?? null, failure_message: failure?.message ?? null };
}
