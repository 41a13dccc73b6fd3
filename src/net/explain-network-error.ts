// Converts errors thrown by a dispatcher to a Failure.
import { type Failure, fail, isFailure } from '#model/failure.ts';

/** Our own refusal to connect, or the network error, may be wrapped in several layers. */
export function explainNetworkError(error: unknown, host: string): Failure {
  let innermost = error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    innermost = cause;
    if ('failure' in cause && isFailure(cause.failure)) return cause.failure;
    const code = 'code' in cause ? String(cause.code) : '';
    if (/TIMEOUT|TIMEDOUT/.test(code)) return fail('timeout', `${host} was silent for too long.`, error);
    if (/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/.test(code))
      return fail('host-not-found', `The host name ${host} cannot be resolved.`, error);
    if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code))
      return fail('tls-error', `${host} has no valid certificate (${code}).`, error);
  }
  // If no address of a host answers, the error has a code and no message.
  const { message, code } = innermost as Partial<NodeJS.ErrnoException>;
  return fail('connection-failed', `${host} could not be reached: ${message || code}.`, error);
}
