// Sends one request over a pool of connections, and gathers its answer within limits.
// undici's `dispatch`, the lowest of its levels: a stream for every answer would take longer than the answer itself.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type Failure, fail } from '#model/failure.ts';

export interface Bounds {
  readonly maxBytes: number;
  /** For the whole answer, however it trickles; silences are the pool's to end. */
  readonly totalTimeoutMs: number;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Rejects with what the network says. */
export function receive(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  host: string,
  { maxBytes, totalTimeoutMs }: Bounds,
): Promise<Received | Failure> {
  return new Promise((resolve, reject) => {
    const deadline = performance.now() + totalTimeoutMs;
    const parts: Buffer[] = [];
    let length = 0;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    const refuse = (controller: Dispatcher.DispatchController, failure: Failure) => {
      resolve(failure);
      controller.abort(new Error(failure.message));
    };
    const late = () => fail('timeout', `${host} did not finish its answer in time.`);
    pool.dispatch(options, {
      onRequestStart: () => {},
      onResponseStart: (controller, statusCode, head) => {
        status = statusCode;
        headers = head;
        // Interim answers put off the time-out of the headers, again and again.
        if (performance.now() > deadline) refuse(controller, late());
      },
      onResponseData: (controller, chunk) => {
        length += chunk.length;
        if (length > maxBytes)
          refuse(controller, fail('source-invalid', `${host} answers with more than ${maxBytes} bytes.`));
        else if (performance.now() > deadline) refuse(controller, late());
        else parts.push(chunk);
      },
      onResponseEnd: () =>
        resolve({ status, headers, body: parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts) }),
      onResponseError: (_, error) => reject(error),
    });
  });
}
