// An event observer: takes what a node posts, and answers 200 when it is on the disk. A node that gets anything else
// keeps the payload, and sends it again, for ever.
import { isUtf8 } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { receiveBody } from './receive-body.ts';
import type { Body, Spool } from './spool.ts';

export interface ObserverOptions {
  readonly host: string;
  readonly port: number;
  /** Who may send, beside this machine. */
  readonly allowed: BlockList;
  readonly spool: Spool;
  /** For bodies that are on their way, and for those that are refused. */
  readonly folder: string;
  readonly reporter: Reporter;
  /** What is asked by GET: `/`, `/metrics`. */
  readonly describe: (path: string) => { readonly type: string; readonly text: string } | undefined;
  /** Called when a payload is on the disk. */
  readonly onPayload: (payload: Payload) => void;
  /** For tests. */
  readonly maxBytes?: number;
}

export interface Payload {
  readonly path: string;
  readonly bytes: number;
  /** Of a block, where it is short enough to look into. */
  readonly block: { readonly height: number; readonly burnBlockTime: number | undefined } | undefined;
}

/** What a node posts; there may be more in a version to come. */
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
/** Genesis is one payload of 80 MB and more. */
const MAX_BYTES = 500_000_000;
/** After so many times, what is refused is put aside: the node would send nothing else. */
const MOST_TRIES = 3;
const MOST_REFUSED = 1_000;
const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

/** Resolves when it listens. Throws FailureError `port-in-use`. */
export async function startObserver(options: ObserverOptions): Promise<Server> {
  mkdirSync(join(options.folder, 'refused'), { recursive: true });
  rmSync(join(options.folder, 'incoming'), { recursive: true, force: true });
  mkdirSync(join(options.folder, 'incoming'));
  const observer = new Observer(options);
  const server = createServer((request, response) => void observer.answer(request, response));
  // A node may be slow in sending 500 MB; a connection that stands still is given up.
  server.requestTimeout = 0;
  server.timeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? stop('port-in-use', `Port ${options.port} of ${options.host} is in use; name another with --port.`, error)
          : error,
      ),
    );
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

class Observer {
  readonly #options: ObserverOptions;
  /** How often each payload was refused, by its hash. */
  readonly #refused = new Map<string, number>();

  constructor(options: ObserverOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/', socket } = request;
    const path = url.split('?')[0] ?? '/';
    try {
      if (!this.#isAllowed(socket.remoteAddress ?? '')) return say(response, 403, 'not from there\n');
      if (method === 'POST') return say(response, await this.#take(path, request));
      const described = method === 'GET' ? this.#options.describe(path) : undefined;
      if (described === undefined) return say(response, 404, 'not found\n');
      say(response, 200, described.text, described.type);
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      this.#options.reporter.warn(`${path}: ${(error as Error).message}`);
      say(response, 500);
    }
  }

  #isAllowed(address: string): boolean {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    return this.#options.allowed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  }

  /** The status. */
  async #take(path: string, request: IncomingMessage): Promise<number> {
    const { folder, spool, onPayload, maxBytes = MAX_BYTES } = this.#options;
    const spillTo = join(folder, 'incoming', randomUUID());
    try {
      const received = await receiveBody(request, { spillTo, maxBytes });
      if (received === undefined) {
        // What is too large is not read, and recognised by what it says of itself.
        const status = await this.#refuse(
          path,
          `${path} ${request.headers['content-length']}`,
          'is too large',
          undefined,
        );
        request.resume();
        return status;
      }
      const { body, bytes } = received;
      if (!OBSERVER_PATHS.has(path)) {
        onPayload({ path, bytes, block: undefined });
        return 200;
      }
      const json = readJson(body);
      if (json === undefined) {
        const key = Buffer.isBuffer(body) ? createHash('sha256').update(body).digest('hex') : String(bytes);
        return await this.#refuse(path, `${path} ${key}`, 'is no JSON', body);
      }
      await spool.append(path, body);
      onPayload({ path, bytes, block: path === '/new_block' ? blockOf(json) : undefined });
      return 200;
    } catch (error) {
      if (!FULL.has((error as NodeJS.ErrnoException).code)) throw error;
      this.#options.reporter.warn('The disk is full: the node keeps what it sends until there is room.');
      return 503;
    } finally {
      rmSync(spillTo, { force: true });
    }
  }

  async #refuse(path: string, key: string, why: string, body: Body | undefined): Promise<number> {
    const { folder, reporter } = this.#options;
    const tries = (this.#refused.get(key) ?? 0) + 1;
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear();
    this.#refused.set(key, tries);
    if (tries < MOST_TRIES) {
      reporter.warn(`A payload for ${path} ${why}: the node is asked to send it again.`);
      return 500;
    }
    this.#refused.delete(key);
    const aside = join(folder, 'refused', `${new Date().toISOString().replaceAll(':', '')}-${randomUUID()}`);
    if (Buffer.isBuffer(body)) await writeFile(aside, body);
    else if (body !== undefined) await rename(body.file, aside);
    reporter.warn(
      `A payload for ${path} ${why}, ${MOST_TRIES} times: ` +
        (body === undefined ? 'it is left out.' : `it is put aside as ${aside}.`),
    );
    return 200;
  }
}

/** What is held is parsed; of what is long, only its ends are looked at. An index run skips a line that is broken. */
function readJson(body: Body): unknown {
  if (!Buffer.isBuffer(body)) return {};
  try {
    return isUtf8(body) ? JSON.parse(body.toString()) : undefined;
  } catch {
    return undefined;
  }
}

function blockOf(json: unknown): Payload['block'] {
  const { block_height: height, burn_block_time: time } = (json ?? {}) as {
    block_height?: unknown;
    burn_block_time?: unknown;
  };
  if (typeof height !== 'number') return undefined;
  return { height, burnBlockTime: typeof time === 'number' && time > 0 ? time : undefined };
}

function say(response: ServerResponse, status: number, text = '', type = 'text/plain'): void {
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': type }).end(text);
}
