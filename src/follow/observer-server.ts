// Receives the events of a node. Returns 200 once the payload is on the disk; after any other status, the node sends
// the payload again.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { isDiskFull } from '#files/disk-errors.ts';
import { areOtherChains, formatChainId, joinChains } from '#model/chain.ts';
import type { Reporter } from '#model/reporter.ts';
import { listen } from '#net/listen.ts';
import { MalformedError } from '#source/observer/malformed-error.ts';
import { kindOfPayload } from '#source/observer/reduce-payload.ts';
import { quote } from '#text/quote.ts';
import { type BlockFacts, mayBeIndexed, readFacts } from './payload-facts.ts';
import { receiveBody } from './receive-body.ts';
import type { Refusal, RefusedFor } from './refusal.ts';
import type { Spool } from './spool.ts';
import { isAllowed, refusalOf } from './who-may-post.ts';

export interface ObserverOptions {
  readonly host: string;
  readonly port: number;
  /** Addresses that may post events, including this machine. */
  readonly allowed: BlockList;
  /** Host names with a dot that nodes use for this machine, in lower case. */
  readonly names: readonly string[];
  /** The chain to accept; if undefined, the chain of the first block. */
  readonly chainId: number | undefined;
  readonly spool: Spool;
  readonly reporter: Reporter;
  /** Returns the response to `GET /metrics`. */
  readonly metrics: () => string;
  readonly onPayload: (payload: Payload) => void;
  readonly onRefused: (reason: RefusedFor) => void;
  /** The maximum size of a payload, for tests. */
  readonly maxBytes?: number;
}

export interface Payload {
  /** A path of {@link OBSERVER_PATHS} or {@link UNKNOWN_PATH}. */
  readonly path: string;
  /** Facts of a block; undefined for other payloads. */
  readonly block: BlockFacts | undefined;
}

/** The paths to which nodes post. Later versions of nodes may have more. */
export const OBSERVER_PATHS: ReadonlySet<string> = new Set([
  '/new_block',
  '/new_burn_block',
  '/new_microblocks',
  '/attachments/new',
  '/new_mempool_tx',
  '/drop_mempool_tx',
  '/mined_block',
  '/mined_microblock',
  '/mined_nakamoto_block',
  '/stackerdb_chunks',
  '/proposal_response',
]);
export const UNKNOWN_PATH = 'unknown';
const METRICS_PATH = '/metrics';
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The maximum size of a payload; the genesis payload has more than 80 MB. */
const MAX_BYTES = 500_000_000;
/** The maximum number of open connections from machines that may not post. */
const MAX_FOREIGN_CONNECTIONS = 64;
/** The maximum number of distinct warnings, each logged once, so that bad clients cannot flood the log. */
const MAX_WARNINGS = 100;

/** Starts the server, and resolves when it listens. Throws FailureError `port-in-use` or `usage`. */
export async function startObserver(options: ObserverOptions): Promise<Server> {
  const observe = createObserver(options);
  const server = createServer((request, response) => void observe(request, response));
  let foreignConnections = 0;
  server.on('connection', (socket) => {
    if (isAllowed(options.allowed, socket.remoteAddress)) return;
    foreignConnections++;
    socket.once('close', () => foreignConnections--);
    if (foreignConnections > MAX_FOREIGN_CONNECTIONS) socket.destroy();
  });
  // A node may take long to send 500 MB, so only idle connections time out.
  server.requestTimeout = 0;
  server.timeout = 60_000;
  await listen(server, options, { host: '--listen', port: '--listen' });
  return server;
}

/** Returns the request listener of the server. */
function createObserver(options: ObserverOptions) {
  const { allowed, names, spool, reporter, metrics, onPayload, onRefused, maxBytes = MAX_BYTES } = options;
  const warnings = new Set<string>();
  let acceptedChain = options.chainId;

  return async function observe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/', socket } = request;
    try {
      if (!isAllowed(allowed, socket.remoteAddress)) {
        const message = `${socket.remoteAddress} may not post; allow it with --allow-from`;
        response.shouldKeepAlive = false;
        return reject(response, { reason: 'address', status: 403, message });
      }
      if (method === 'POST') {
        const refusal = refusalOf(request, names) ?? (await receive(observerPath(url), request));
        return refusal === undefined ? respond(response, 200) : reject(response, refusal);
      }
      if (method !== 'GET' || pathOf(url) !== METRICS_PATH) return respond(response, 404, 'not found\n');
      respond(response, 200, metrics(), METRICS_TYPE);
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      reporter.warn(`${quote(url)}: ${(error as Error).message}`);
      response.shouldKeepAlive = false;
      respond(response, 500);
    } finally {
      // The sender reads the response only after the server has read the entire request.
      request.resume();
    }
  };

  function reject(response: ServerResponse, { reason, status, message }: Refusal): void {
    onRefused(reason);
    const warning = `A request was rejected: ${message}.`;
    // A disk may become full again.
    if (reason === 'disk-full') reporter.warn(warning);
    else warnOnce(warning);
    respond(response, status, `${message}\n`);
  }

  function warnOnce(message: string): void {
    if (warnings.has(message) || warnings.size >= MAX_WARNINGS) return;
    warnings.add(message);
    reporter.warn(message);
  }

  /**
   * Receives a payload, and returns why it is rejected; undefined once it is on the disk. `path` is undefined if no
   * known path matches the request target.
   */
  async function receive(path: string | undefined, request: IncomingMessage): Promise<Refusal | undefined> {
    const target = quote(request.url ?? '');
    const body = await receiveBody(request, maxBytes);
    if (body === undefined)
      return { reason: 'too-large', status: 413, message: `a payload for ${target} has more than ${maxBytes} bytes` };
    if (path === undefined) {
      const message = `the path ${target} is unknown, but has blocks; set the endpoint that was printed`;
      if (mayBeIndexed(body)) return { reason: 'path', status: 404, message };
      warnOnce(`The path ${target} is unknown: its payloads are counted, but not stored.`);
      onPayload({ path: UNKNOWN_PATH, block: undefined });
      return undefined;
    }
    try {
      const facts = kindOfPayload(path) && readFacts(body);
      let chain = acceptedChain;
      for (const chainId of facts?.chainIds ?? []) {
        // A block of another chain would stop all index runs.
        if (chain !== undefined && areOtherChains(chain, chainId)) {
          const [other, held] = [formatChainId(chainId), formatChainId(chain)];
          const message = `it has blocks of chain ${other}, and this archive has chain ${held}`;
          return { reason: 'other-chain', status: 409, message };
        }
        chain = joinChains(chain, chainId);
      }
      acceptedChain = chain;
      await spool.append(path, body);
      onPayload({ path, block: path === '/new_block' ? facts?.block : undefined });
      return undefined;
    } catch (error) {
      if (error instanceof MalformedError)
        return { reason: 'not-json', status: 400, message: `a payload for ${path} is invalid: ${error.message}` };
      if (!isDiskFull(error)) throw error;
      const message = 'the disk is full; the node repeats its events until there is space again';
      return { reason: 'disk-full', status: 503, message };
    }
  }
}

/**
 * Returns the known path that a request target means; undefined for unknown paths. A target may be a complete URL (RFC
 * 9112, 3.2.2). An endpoint may have a path of its own, so that the target begins with it.
 */
function observerPath(target: string): string | undefined {
  const path = pathOf(target);
  return [...OBSERVER_PATHS].find((known) => path.endsWith(known));
}

/** Returns the path of a request target without empty segments. */
function pathOf(target: string): string {
  const { pathname } = URL.parse(target.startsWith('/') ? `http://follower${target}` : target) ?? { pathname: '' };
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return `/${segments.join('/')}`;
}

function respond(response: ServerResponse, status: number, text = '', type = 'text/plain'): void {
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': type }).end(text);
}
