// Distinguishes failures that may pass by themselves from failures that last until the operator changes something. A
// command that such a failure ends exits with status 1 instead of 75.
import { type Failure, type FailureCode, fail } from './failure.ts';

/**
 * Codes of lasting failures of a server that the operator named. The work of the run is kept, to continue with another
 * URL, for example. Lost connections, timeouts and names that cannot be resolved at the moment are temporary.
 */
const LASTING: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'host-not-found',
  'tls-error',
  'response-invalid',
  'not-an-api',
]);

/** True if the same command may succeed later. */
export function isTemporary({ code, retryable }: Failure): boolean {
  return retryable && !isLasting(code);
}

/** True for the codes above, and for an error status other than 408, 425, 429 and 5xx. */
export function isLasting(code: FailureCode): boolean {
  return LASTING.has(code) || (code.startsWith('http-') && !fail(code).retryable);
}
