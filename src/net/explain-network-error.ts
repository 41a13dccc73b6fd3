// Turns what a dispatcher throws into a Failure.
import { type Failure, fail, isFailure } from '#model/failure.ts';

/** Our own refusal to connect, or the reason of the network, may be wrapped in layers. */
export function explainNetworkError(error: unknown, host: string): Failure {
  let innermost = error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    innermost = cause;
    if ('failure' in cause && isFailure(cause.failure)) return cause.failure;
    const code = 'code' in cause ? String(cause.code) : '';
    if (/TIMEOUT|TIMEDOUT/.test(code)) return fail('timeout', `${host} was silent for too long.`, error);
    if (/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/.test(code))
      return fail('host-not-found', `The name service does not know ${host}.`, error);
    if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code))
      return fail('tls-error', `${host} has no valid certificate (${code}).`, error);
  }
  // A host with several addresses, none of which answers, has a code and no message.
  const { message, code } = innermost as Partial<NodeJS.ErrnoException>;
  return fail('connection-failed', `${host} could not be reached: ${message || code}.`, error);
}
