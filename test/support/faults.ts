// Makes some responses of a server fail in the ways in which real servers fail.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Random } from './random.ts';

export const FAULTS = ['429', '500', 'reset', 'cut', 'slow', 'html'] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultOptions {
  /** The share of responses that fail, from 0 to 1. */
  readonly share: number;
  readonly seed: number;
  readonly faults?: readonly Fault[];
  /** The delay before a slow response sends its second half, in milliseconds. */
  readonly slowMs?: number;
  readonly retryAfterSeconds?: number;
}

/**
 * Returns a listener that makes a share of the responses of `listener` fail. Calls `onFault` for each failing response.
 */
export function withFaults(
  listener: RequestListener,
  options: FaultOptions,
  onFault = (_fault: Fault) => {},
): RequestListener {
  const { share, faults = FAULTS } = options;
  const random = new Random(options.seed);
  return (request, response) => {
    if (!random.chance(share)) return listener(request, response);
    const fault = random.pick(faults);
    onFault(fault);
    fail(fault, request, response, listener, options);
  };
}

/**
 * Returns a listener for which every n-th path (n is `every`) fails at its first request. All other responses come from
 * `listener`.
 */
export function withFirstFaults(
  listener: RequestListener,
  { every, ...options }: Omit<FaultOptions, 'share'> & { readonly every: number },
): RequestListener {
  const requestedUrls = new Set<string>();
  const faulty = withFaults(listener, { share: 1, ...options });
  return (request, response) => {
    const { url = '' } = request;
    const isFirst = !requestedUrls.has(url);
    requestedUrls.add(url);
    (isFirst && requestedUrls.size % every === 0 ? faulty : listener)(request, response);
  };
}

function fail(
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
  listener: RequestListener,
  { slowMs = 5_000, retryAfterSeconds = 1 }: FaultOptions,
): void {
  switch (fault) {
    case '429':
      response.writeHead(429, { 'retry-after': String(retryAfterSeconds), 'content-type': 'application/json' });
      response.end('{"error":"Too Many Requests"}');
      return;
    case '500':
      response.writeHead(500).end('internal error');
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!DOCTYPE html><html><body>Down for maintenance</body></html>');
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'cut':
    case 'slow':
      // Sends half of the real response, but declares the full length.
      cutInHalf(response, () => {
        if (fault === 'cut') setImmediate(() => request.socket.destroy());
        else setTimeout(() => request.socket.destroy(), slowMs).unref();
      });
      listener(request, response);
  }
}

function cutInHalf(response: ServerResponse, then: () => void): void {
  const writeHead = response.writeHead.bind(response);
  let status = 200;
  let headers = {};
  response.writeHead = ((code: number, fields: object = {}) => {
    status = code;
    headers = fields;
    return response;
  }) as ServerResponse['writeHead'];
  response.end = ((chunk: string | Uint8Array = '') => {
    const body = Buffer.from(chunk as Uint8Array);
    writeHead(status, { ...headers, 'content-length': Math.max(body.length, 2) });
    response.write(body.subarray(0, body.length >> 1));
    then();
    return response;
  }) as ServerResponse['end'];
}
