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
import type { Spool } from './spool.ts';
import { isAllowed, type Refusal, refusalOf } from './who-may-post.ts';

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
  readonly describe: (path: string) => { readonly type: string; readonly text: string } | undefined;
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
/** Reasons for which a request is rejected. */
export const REFUSED_FOR = [
  'address',
  'page',
  'host',
  'path',
  'content-type',
  'not-json',
  'too-large',
  'other-chain',
  'disk-full',
] as const;
export type RefusedFor = (typeof REFUSED_FOR)[number];

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
  const { allowed, names, spool, reporter, describe, onPayload, onRefused, maxBytes = MAX_BYTES } = options;
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
        const refusal = refusalOf(request, names);
        if (refusal !== undefined) return reject(response, refusal);
        return respond(response, await receive(observerPath(url), request));
      }
      const described = method === 'GET' ? describe(pathOf(url)) : undefined;
      if (described === undefined) return respond(response, 404, 'not found\n');
      respond(response, 200, described.text, described.type);
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
    warnOnce(`A request was rejected: ${message}.`);
    respond(response, status, `${message}\n`);
  }

  function warnOnce(message: string): void {
    if (warnings.has(message) || warnings.size >= MAX_WARNINGS) return;
    warnings.add(message);
    reporter.warn(message);
  }

  /** Receives a payload, and returns the status. `path` is undefined if no known path matches the request target. */
  async function receive(path: string | undefined, request: IncomingMessage): Promise<number> {
    const target = quote(request.url ?? '');
    const body = await receiveBody(request, maxBytes);
    if (body === undefined)
      return refuse('too-large', 413, `A payload for ${target} is too large. The node will send it again.`);
    if (path === undefined) {
      if (mayBeIndexed(body))
        return refuse('path', 404, `The path ${target} is unknown, but has blocks. Set the endpoint that was printed.`);
      warnOnce(`The path ${target} is unknown: its payloads are counted, but not stored.`);
      onPayload({ path: UNKNOWN_PATH, block: undefined });
      return 200;
    }
    try {
      const facts = kindOfPayload(path) && readFacts(body);
      let chain = acceptedChain;
      for (const chainId of facts?.chainIds ?? []) {
        // A block of another chain would stop all index runs.
        if (chain !== undefined && areOtherChains(chain, chainId)) {
          const [other, held] = [formatChainId(chainId), formatChainId(chain)];
          return refuse('other-chain', 409, `Blocks of chain ${other} were rejected: this archive has chain ${held}.`);
        }
        chain = joinChains(chain, chainId);
      }
      acceptedChain = chain;
      await spool.append(path, body);
      onPayload({ path, block: path === '/new_block' ? facts?.block : undefined });
      return 200;
    } catch (error) {
      if (error instanceof MalformedError)
        return refuse('not-json', 400, `A payload for ${path} was rejected: ${error.message}.`);
      if (!isDiskFull(error)) throw error;
      onRefused('disk-full');
      reporter.warn('The disk is full. The node repeats its events until there is space again.');
      return 503;
    }
  }

  function refuse(reason: RefusedFor, status: number, message: string): number {
    onRefused(reason);
    warnOnce(message);
    return status;
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

/** Returns the path of a request target in lower case, decoded, and without empty segments. */
function pathOf(target: string): string {
  const { pathname } = URL.parse(target.startsWith('/') ? `http://follower${target}` : target) ?? { pathname: '' };
  const segments = decodeText(pathname).toLowerCase().split('/');
  return `/${segments.filter((segment) => segment !== '').join('/')}`;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function respond(response: ServerResponse, status: number, text = '', type = 'text/plain'): void {
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': type }).end(text);
}
