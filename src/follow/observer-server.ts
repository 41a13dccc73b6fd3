// Receives the events of a node. Returns 200 once the payload is on the disk; after any other status, the node sends
// the payload again.
import { isUtf8 } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { join } from 'node:path';
import QuickLRU from 'quick-lru';
import { isDiskFull } from '#files/disk-errors.ts';
import { formatChainId } from '#model/chain.ts';
import type { Reporter } from '#model/reporter.ts';
import { listen } from '#net/listen.ts';
import { parseJson } from '#text/parse-json.ts';
import { type BlockFacts, blockOf, chainIdOf } from './payload-facts.ts';
import { receiveBody } from './receive-body.ts';
import type { Body, Spool } from './spool.ts';
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
  /** The spool, whose folder also holds incomplete and rejected bodies. */
  readonly spool: Spool;
  readonly reporter: Reporter;
  readonly describe: (path: string) => { readonly type: string; readonly text: string } | undefined;
  readonly onPayload: (payload: Payload) => void;
  readonly onRefused: (reason: RefusedFor) => void;
  /** The maximum size of a payload, for tests. */
  readonly maxBytes?: number;
}

export interface Payload {
  readonly path: string;
  /** Facts of a block; undefined for other payloads, and for blocks too large to parse. */
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
/** Reasons for which a request is rejected. */
export const REFUSED_FOR = [
  'address',
  'page',
  'host',
  'content-type',
  'not-json',
  'too-large',
  'other-chain',
  'disk-full',
] as const;
export type RefusedFor = (typeof REFUSED_FOR)[number];

/** The maximum size of a payload; the genesis payload has more than 80 MB. */
const MAX_BYTES = 500_000_000;
/** The number of attempts after which a rejected payload is saved, since the node would keep resending it. */
const MAX_TRIES = 3;
/** The maximum number of rejected payloads whose attempts are counted. */
const MAX_REFUSED = 1_000;
/** The maximum number of open connections from machines that may not post. */
const MAX_FOREIGN_CONNECTIONS = 64;
/** The maximum number of distinct warnings, each logged once, so that bad clients cannot flood the log. */
const MAX_WARNINGS = 100;

/** Starts the server, and resolves when it listens. Throws FailureError `port-in-use` or `usage`. */
export async function startObserver(options: ObserverOptions): Promise<Server> {
  const { spool } = options;
  mkdirSync(join(spool.folder, 'refused'), { recursive: true });
  rmSync(join(spool.folder, 'incoming'), { recursive: true, force: true });
  mkdirSync(join(spool.folder, 'incoming'));
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
  /** The number of rejections of each payload, by path and hash. */
  const refused = new QuickLRU<string, number>({ maxSize: MAX_REFUSED });
  const warnings = new Set<string>();
  let acceptedChain = options.chainId;

  return async function observe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/', socket } = request;
    // If the endpoint of the node ends with a slash, the path begins with two.
    const path = (url.split('?')[0] ?? '').replace(/^\/+/, '/');
    try {
      if (!isAllowed(allowed, socket.remoteAddress)) {
        const message = `${socket.remoteAddress} may not post; allow it with --allow-from`;
        response.shouldKeepAlive = false;
        return reject(response, { reason: 'address', status: 403, message });
      }
      if (method === 'POST') {
        const refusal = refusalOf(request, names);
        if (refusal !== undefined) return reject(response, refusal);
        return respond(response, await receive(path, request));
      }
      const described = method === 'GET' ? describe(path) : undefined;
      if (described === undefined) return respond(response, 404, 'not found\n');
      respond(response, 200, described.text, described.type);
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      reporter.warn(`${path}: ${(error as Error).message}`);
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

  async function receive(path: string, request: IncomingMessage): Promise<number> {
    if (!OBSERVER_PATHS.has(path)) {
      warnOnce(`The path ${path} is unknown: its payloads are counted, but not stored.`);
      onPayload({ path, block: undefined });
      return 200;
    }
    const spillTo = join(spool.folder, 'incoming', randomUUID());
    try {
      const { body, bytes } = await receiveBody(request, spillTo);
      const json = bytes > maxBytes ? undefined : readJson(body);
      if (json === undefined) return await refuse(path, bytes > maxBytes ? 'too-large' : 'not-json', body, bytes);
      const chainId = chainIdOf(json);
      acceptedChain ??= chainId;
      // A block of another chain would stop all index runs.
      if (chainId !== undefined && acceptedChain !== undefined && chainId !== acceptedChain) {
        onRefused('other-chain');
        warnOnce(
          `Blocks of chain ${formatChainId(chainId)} were rejected: this archive has chain ${formatChainId(acceptedChain)}.`,
        );
        return 409;
      }
      await spool.append(path, body);
      onPayload({ path, block: path === '/new_block' ? blockOf(json) : undefined });
      return 200;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      onRefused('disk-full');
      reporter.warn('The disk is full. The node repeats its events until there is space again.');
      return 503;
    } finally {
      rmSync(spillTo, { force: true });
    }
  }

  async function refuse(path: string, reason: 'not-json' | 'too-large', body: Body, bytes: number): Promise<number> {
    onRefused(reason);
    const why = reason === 'too-large' ? 'is too large' : 'is not JSON';
    // A payload in a file is identified by its length instead of its hash.
    const key = `${path} ${Buffer.isBuffer(body) ? createHash('sha256').update(body).digest('hex') : bytes}`;
    const tries = (refused.get(key) ?? 0) + 1;
    refused.set(key, tries);
    if (tries < MAX_TRIES) {
      reporter.warn(`A payload for ${path} ${why}. The node will send it again.`);
      return 500;
    }
    const saved = join(spool.folder, 'refused', `${new Date().toISOString().replaceAll(':', '')}-${randomUUID()}`);
    if (Buffer.isBuffer(body)) await writeFile(saved, body);
    else await rename(body.file, saved);
    const file = await open(saved);
    await file.sync().finally(() => file.close());
    refused.delete(key);
    reporter.warn(`A payload for ${path} ${why}, ${MAX_TRIES} times. It was saved as ${saved}.`);
    return 200;
  }
}

/**
 * Parses a body in memory; undefined if it is not JSON. Returns {} for a body in a file, since index runs skip broken
 * lines.
 */
function readJson(body: Body): unknown {
  if (!Buffer.isBuffer(body)) return {};
  return isUtf8(body) ? parseJson(body.toString()) : undefined;
}

function respond(response: ServerResponse, status: number, text = '', type = 'text/plain'): void {
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': type }).end(text);
}
