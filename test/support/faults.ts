// Makes a share of the answers of a server fail, in the ways in which servers do.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export const FAULTS = ['429', '500', 'reset', 'cut', 'slow', 'html'] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultOptions {
  /** Between 0 and 1. */
  readonly share: number;
  readonly seed: number;
  readonly faults?: readonly Fault[];
  /** What a slow answer waits for before its second half. */
  readonly slowMs?: number;
  readonly retryAfterSeconds?: number;
}

/** A listener of which a share of the answers fails; `onFault` hears of each. */
export function withFaults(
  listener: RequestListener,
  options: FaultOptions,
  onFault = (_fault: Fault) => {},
): RequestListener {
  const { share, faults = FAULTS } = options;
  const random = randomOf(options.seed);
  return (request, response) => {
    if (random() >= share) return listener(request, response);
    const fault = faults[Math.floor(random() * faults.length)] ?? '500';
    onFault(fault);
    fail(fault, request, response, listener, options);
  };
}

/** A listener of which the first answer to every so many paths fails. */
export function withFirstFaults(
  listener: RequestListener,
  { every, ...options }: Omit<FaultOptions, 'share'> & { readonly every: number },
): RequestListener {
  const seen = new Set<string>();
  const faulty = withFaults(listener, { share: 1, ...options });
  return (request, response) => {
    const { url = '' } = request;
    const isFirst = !seen.has(url);
    seen.add(url);
    (isFirst && seen.size % every === 0 ? faulty : listener)(request, response);
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
      // The real answer, with its length, of which half comes.
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
  response.writeHead = ((code: number, more: object = {}) => {
    status = code;
    headers = more;
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

/** Numbers between 0 and 1 from a seed (mulberry32), so that a run can be repeated. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
