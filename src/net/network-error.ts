// Converts the error of a request to a failure that names the cause.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { DecodeError } from './decode-body.ts';
import { ResponseError } from './lenient-request.ts';

const LENGTH_MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/**
 * Converts an error, which may wrap its cause several times. `hasHead` is true if the head of a response was received.
 */
export function explainNetworkError(error: unknown, host: string, hasHead: boolean): Failure {
  let innermost = error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    innermost = cause;
    // The guarded agent refused to connect.
    if ('failure' in cause && isFailure(cause.failure)) return cause.failure;
    const code = 'code' in cause ? String(cause.code) : '';
    if (/TIMEOUT|TIMEDOUT/.test(code)) return fail('timeout', `${host} did not respond in time.`, error);
    if (code === 'EAI_AGAIN')
      return fail('connection-failed', `The name ${host} cannot be resolved at the moment.`, error);
    if (/^(ENOTFOUND|ENODATA)$/.test(code))
      return fail('host-not-found', `The name ${host} cannot be resolved.`, error);
    if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code))
      return fail('tls-error', `${host} does not use TLS (${code}). If you trust it, use http:// in its URL.`, error);
    if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code))
      return fail('tls-error', `The certificate of ${host} is not valid (${code}).`, error);
    const problem = explainResponse(cause, code);
    if (problem !== undefined)
      return fail('response-invalid', `The response of ${host} is invalid: ${problem}.`, error);
    const gap = hasHead ? 'its body' : hasReceived(cause) ? 'its head' : undefined;
    if (gap !== undefined) return fail('connection-failed', `The response of ${host} ended early, in ${gap}.`, error);
  }
  // If none of several addresses responds, the error has a code and an empty message.
  const { message, code } = innermost as Partial<NodeJS.ErrnoException>;
  return fail('connection-failed', `${host} could not be reached: ${message || code}.`, error);
}

/** Returns the reason why a response is invalid; undefined if it is only incomplete. */
function explainResponse(error: Error, code: string): string | undefined {
  const { name, message } = error;
  if (error instanceof ResponseError) return message;
  // The message is, for example, "Response does not match the HTTP/1.1 protocol (Invalid header token)".
  if (name === 'HTTPParserError') return `it is not HTTP (${/\(([^()]*)\)$/.exec(message)?.[1] ?? 'unknown reason'})`;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'its headers are too large';
  if (code === LENGTH_MISMATCH) return 'its length is not its Content-Length';
  // A server may send 100 (Continue) or 101 (Switching Protocols) only if the client requested it.
  if (/^bad (response|upgrade)$/.test(message) || code === 'ERR_ASSERTION')
    return 'its status does not match the request';
  return error instanceof DecodeError ? message : undefined;
}

/**
 * True if undici cannot read a response that other clients may read: a syntax that its parser rejects, a Content-Length
 * that it misreads, or the status 100 that was not requested.
 */
export function isUnreadable(error: unknown): boolean {
  const { name, code, message } = error as NodeJS.ErrnoException;
  return name === 'HTTPParserError' || code === LENGTH_MISMATCH || message === 'bad response';
}

/** True if the connection of a SocketError received any bytes, even of an earlier response. */
export function hasReceived(error: Error): boolean {
  return 'socket' in error && Number((error.socket as { bytesRead?: number } | null)?.bytesRead) > 0;
}
