// Serves a build over HTTP on this machine, with the same code as the programs at the edge of hosts.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listen } from '#net/listen.ts';
import { NameIndexes } from '#serving/name-index.ts';
import { nextTurn } from './next-turn.ts';
import { respond, type ServedSite } from './respond.ts';

interface ServeOptions extends Omit<ServedSite, 'names'> {
  readonly host: string;
  readonly port: number;
}

/**
 * The interval in milliseconds at which Node checks connections for progress. It closes a connection that made no
 * progress between two checks.
 */
const STALLED_MS = 25_000;
/** The maximum time in milliseconds to receive the headers of a request; `REQUEST_MS` is for the entire request. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 60_000;
/** The interval in milliseconds at which Node checks both time limits of requests. */
const CHECK_MS = 5_000;
/**
 * The maximum number of requests that wait until an earlier request of their connection is finished. Each takes about 5
 * KB.
 */
const MAX_WAITING = 5_000;

/** Starts a server, and resolves when it listens. Throws FailureError `port-in-use` or `usage`. */
export async function startServer(options: ServeOptions): Promise<Server> {
  const site = { ...options, names: new NameIndexes() };
  const times = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS };
  // Requests without the header Host get the same response as other malformed requests, instead of Node's response.
  const server = createServer({ requireHostHeader: false, ...times }, inOrder(site));
  server.timeout = STALLED_MS;
  await listen(server, options, { host: '--host', port: '--port' });
  return server;
}

/**
 * Returns a listener that responds to the requests of a connection one after the other. So a client that sends many
 * requests and does not read has one response in memory.
 */
function inOrder(site: ServedSite) {
  /** The end of the last response of each connection. */
  const ends = new WeakMap<Socket, Promise<void>>();
  let waiting = 0;
  const waitFor = async (earlier: Promise<void>) => {
    waiting++;
    await earlier;
    waiting--;
  };
  return (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const earlier = ends.get(socket);
    if (earlier !== undefined && waiting >= MAX_WAITING) socket.destroy();
    if (socket.destroyed) return;
    // Without a listener, an error of one connection would stop the server.
    response.on('error', () => {});
    const closed = new Promise<void>((resolve) => {
      response.once('close', resolve);
    });
    const handle = async () => {
      if (earlier !== undefined) await waitFor(earlier);
      if (!socket.destroyed) await nextTurn();
      // A response has no socket if the connection ended before it.
      if (socket.destroyed || response.socket === null) return;
      await respond(request, response, site);
      await closed;
      if (ends.get(socket) === end) ends.delete(socket);
    };
    const end = handle();
    ends.set(socket, end);
  };
}
