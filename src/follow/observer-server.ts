// An event observer: answers 200 when a payload is on the disk. After anything else a node sends it again, for ever.
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
  /** Addresses that may send, beside this machine. */
  readonly allowed: BlockList;
  /** Names with a dot by which nodes know this machine. */
  readonly names: readonly string[];
  /** The chain that is followed; undefined for that of the first block. */
  readonly chainId: number | undefined;
  /** Its folder also holds bodies in transit and refused ones. */
  readonly spool: Spool;
  readonly reporter: Reporter;
  readonly describe: (path: string) => { readonly type: string; readonly text: string } | undefined;
  readonly onPayload: (payload: Payload) => void;
  readonly onRefused: (reason: RefusedFor) => void;
  /** For tests. */
  readonly maxBytes?: number;
}

export interface Payload {
  readonly path: string;
  /** Facts of a block, if it is short enough to look into. */
  readonly block: BlockFacts | undefined;
}

/** Paths to which a node posts; a version to come may have more. */
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
/** Why a request is not answered with 200. */
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

/** Genesis is one payload of 80 MB and more. */
const MAX_BYTES = 500_000_000;
/** After so many times, what is refused is put aside: the node would send nothing else. */
const MOST_TRIES = 3;
const MOST_REFUSED = 1_000;
/** Connections of machines that may not post, open at once. */
const MOST_STRANGERS = 64;
/** Different things that are said once each: whoever sends nonsense fills no log. */
const MOST_SAID = 100;

/** Resolves when it listens. Throws FailureError `port-in-use` or `usage`. */
export async function startObserver(options: ObserverOptions): Promise<Server> {
  const { spool } = options;
  mkdirSync(join(spool.folder, 'refused'), { recursive: true });
  rmSync(join(spool.folder, 'incoming'), { recursive: true, force: true });
  mkdirSync(join(spool.folder, 'incoming'));
  const answer = createObserver(options);
  const server = createServer((request, response) => void answer(request, response));
  let strangers = 0;
  server.on('connection', (socket) => {
    if (isAllowed(options.allowed, socket.remoteAddress)) return;
    strangers++;
    socket.once('close', () => strangers--);
    if (strangers > MOST_STRANGERS) socket.destroy();
  });
  // A node may be slow in sending 500 MB; a connection that stands still is given up.
  server.requestTimeout = 0;
  server.timeout = 60_000;
  await listen(server, options, { host: '--listen', port: '--listen' });
  return server;
}

/** Answers requests for as long as the server is there. */
function createObserver(options: ObserverOptions) {
  const { allowed, names, spool, reporter, describe, onPayload, onRefused, maxBytes = MAX_BYTES } = options;
  /** How often each payload was refused, by its hash. */
  const refused = new QuickLRU<string, number>({ maxSize: MOST_REFUSED });
  const said = new Set<string>();
  let followed = options.chainId;

  return async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/', socket } = request;
    // A slash at the end of the node's endpoint comes before that of the path.
    const path = (url.split('?')[0] ?? '').replace(/^\/+/, '/');
    try {
      if (!isAllowed(allowed, socket.remoteAddress)) {
        const message = `${socket.remoteAddress} may not post; allow it with --allow-from`;
        response.shouldKeepAlive = false;
        return turnAway(response, { reason: 'address', status: 403, message });
      }
      if (method === 'POST') {
        const refusal = refusalOf(request, names);
        if (refusal !== undefined) return turnAway(response, refusal);
        return say(response, await take(path, request));
      }
      const described = method === 'GET' ? describe(path) : undefined;
      if (described === undefined) return say(response, 404, 'not found\n');
      say(response, 200, described.text, described.type);
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      reporter.warn(`${path}: ${(error as Error).message}`);
      response.shouldKeepAlive = false;
      say(response, 500);
    } finally {
      // A sender that is not read to its end would not get to the answer.
      request.resume();
    }
  };

  function turnAway(response: ServerResponse, { reason, status, message }: Refusal): void {
    onRefused(reason);
    warnOnce(`A request is refused: ${message}.`);
    say(response, status, `${message}\n`);
  }

  function warnOnce(message: string): void {
    if (said.has(message) || said.size >= MOST_SAID) return;
    said.add(message);
    reporter.warn(message);
  }

  async function take(path: string, request: IncomingMessage): Promise<number> {
    if (!OBSERVER_PATHS.has(path)) {
      warnOnce(`The path ${path} is not known: its payloads are counted and not kept.`);
      onPayload({ path, block: undefined });
      return 200;
    }
    const spillTo = join(spool.folder, 'incoming', randomUUID());
    try {
      const { body, bytes } = await receiveBody(request, spillTo);
      const json = bytes > maxBytes ? undefined : readJson(body);
      if (json === undefined) return await refuse(path, bytes > maxBytes ? 'too-large' : 'not-json', body, bytes);
      const chainId = chainIdOf(json);
      followed ??= chainId;
      // One of its blocks would stop all index runs.
      if (chainId !== undefined && followed !== undefined && chainId !== followed) {
        onRefused('other-chain');
        warnOnce(`A node of chain ${formatChainId(chainId)} is refused: this follows ${formatChainId(followed)}.`);
        return 409;
      }
      await spool.append(path, body);
      onPayload({ path, block: path === '/new_block' ? blockOf(json) : undefined });
      return 200;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      onRefused('disk-full');
      reporter.warn('The disk is full: the node keeps what it sends until there is room.');
      return 503;
    } finally {
      rmSync(spillTo, { force: true });
    }
  }

  async function refuse(path: string, reason: 'not-json' | 'too-large', body: Body, bytes: number): Promise<number> {
    onRefused(reason);
    const why = reason === 'too-large' ? 'is too large' : 'is no JSON';
    // A long payload is recognised by its length.
    const key = `${path} ${Buffer.isBuffer(body) ? createHash('sha256').update(body).digest('hex') : bytes}`;
    const tries = (refused.get(key) ?? 0) + 1;
    refused.set(key, tries);
    if (tries < MOST_TRIES) {
      reporter.warn(`A payload for ${path} ${why}: the node is asked to send it again.`);
      return 500;
    }
    const aside = join(spool.folder, 'refused', `${new Date().toISOString().replaceAll(':', '')}-${randomUUID()}`);
    if (Buffer.isBuffer(body)) await writeFile(aside, body);
    else await rename(body.file, aside);
    const file = await open(aside);
    await file.sync().finally(() => file.close());
    refused.delete(key);
    reporter.warn(`A payload for ${path} ${why}, ${MOST_TRIES} times: it is put aside as ${aside}.`);
    return 200;
  }
}

/** A body in memory is parsed; a long one is taken as it is, and an index run skips a line that is broken. */
function readJson(body: Body): unknown {
  if (!Buffer.isBuffer(body)) return {};
  return isUtf8(body) ? parseJson(body.toString()) : undefined;
}

function say(response: ServerResponse, status: number, text = '', type = 'text/plain'): void {
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': type }).end(text);
}
