// Explains why a request failed: returns the failure, with a sentence that names the cause.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { DecodeError } from './decode-body.ts';

/** `hasHead`: true if the head of a response came. An error may wrap its cause, several times. */
export function explainNetworkError(error: unknown, host: string, hasHead: boolean): Failure {
  let innermost = error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    innermost = cause;
    // Our own refusal to connect.
    if ('failure' in cause && isFailure(cause.failure)) return cause.failure;
    const code = 'code' in cause ? String(cause.code) : '';
    if (/TIMEOUT|TIMEDOUT/.test(code)) return fail('timeout', `${host} was silent for too long.`, error);
    if (/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/.test(code))
      return fail('host-not-found', `The name service does not know ${host}.`, error);
    if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code))
      return fail('tls-error', `${host} has no valid certificate (${code}).`, error);
    const why = explainResponse(cause, code, hasHead);
    if (why !== undefined) return fail('connection-failed', `The response of ${host} is invalid: ${why}.`, error);
  }
  // A host with several addresses, none of which answers, has a code and no message.
  const { message, code } = innermost as Partial<NodeJS.ErrnoException>;
  return fail('connection-failed', `${host} could not be reached: ${message || code}.`, error);
}

/** Undefined for an error before any byte of a response. */
function explainResponse(error: Error, code: string, hasHead: boolean): string | undefined {
  const { name, message } = error;
  // "Response does not match the HTTP/1.1 protocol (Invalid header token)"
  if (name === 'HTTPParserError') return `it is not HTTP (${/\(([^()]*)\)$/.exec(message)?.[1] ?? 'unknown reason'})`;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'its headers are too large';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return hasHead ? 'its body is longer or shorter than its Content-Length' : 'its Content-Length is malformed';
  // A server may send 100 (Continue) or 101 (Switching Protocols) only on request.
  if (/^bad (response|upgrade)$/.test(message) || code === 'ERR_ASSERTION')
    return 'its status does not fit the request';
  if (error instanceof DecodeError && code !== 'Z_BUF_ERROR') return message;
  if (hasHead) return 'its body ended early';
  return hasReceived(error) ? 'the connection was closed before the headers ended' : undefined;
}

/** True if the connection of a SocketError received anything, also for an earlier request. */
export function hasReceived(error: Error): boolean {
  return 'socket' in error && Number((error.socket as { bytesRead?: number } | null)?.bytesRead) > 0;
}
