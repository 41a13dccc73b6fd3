// Exit statuses of the command.
import type { Failure } from '#model/failure.ts';

export const EXIT_OK = 0;
/** The user's error, or a bug. */
export const EXIT_FAILED = 1;
/** Try again: work is left that this run was allowed to do (EX_TEMPFAIL of sysexits.h). */
export const EXIT_TRY_AGAIN = 75;

export function exitStatusOf(failure: Failure): number {
  return failure.retryable ? EXIT_TRY_AGAIN : EXIT_FAILED;
}
