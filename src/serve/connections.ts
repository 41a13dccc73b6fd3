// Handles the requests of a connection one after the other, and lets connections take turns.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ReadingLimit } from './reading-limit.ts';
import type { Turns } from './turns.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * The time in milliseconds since its last response after which a client is served first. Clients that send requests
 * without a pause come later.
 */
const IDLE_MS = 1_000;
/**
 * The maximum number of requests that wait until an earlier request of their connection is finished. Each takes about 5
 * KB.
 */
const MAX_WAITING = 5_000;

interface Connection {
  readonly socket: Socket;
  /** Requests in order. The first one is in progress or waits for its turn; the others wait for the first. */
  readonly requests: (() => Promise<void>)[];
  /** The time when the last response was finished, in milliseconds. */
  lastMs: number;
}

export class Connections {
  readonly #turns: Turns;
  readonly #respond: Respond;
  readonly #open = new Map<Socket, Connection>();
  readonly #reading = new ReadingLimit();
  #waiting = 0;

  constructor(turns: Turns, respond: Respond) {
    this.#turns = turns;
    this.#respond = respond;
  }

  open(socket: Socket): void {
    const connection: Connection = { socket, requests: [], lastMs: Number.NEGATIVE_INFINITY };
    const { requests } = connection;
    this.#open.set(socket, connection);
    this.#turns.noteConnection();
    this.#reading.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#reading.delete(socket);
      if (requests[0] !== undefined) this.#turns.remove(requests[0]);
      this.#waiting -= Math.max(requests.length - 1, 0);
      requests.length = 0;
    });
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.#open.get(socket);
    if (connection === undefined || socket.destroyed) return;
    this.#reading.note(socket);
    const { requests } = connection;
    requests.push(() => this.#respond(request, response));
    response.once('close', () => this.#handleNext(connection));
    if (requests.length === 1) this.#start(connection);
    else this.#wait(socket);
  }

  /**
   * Limits the number of waiting requests. Node reads 64 KB of a connection ahead, which may be a thousand requests.
   */
  #wait(socket: Socket): void {
    this.#waiting++;
    if (this.#waiting > MAX_WAITING) socket.destroy();
    else this.#reading.hold(socket);
  }

  #start({ requests: [first], lastMs }: Connection): void {
    if (first !== undefined) this.#turns.add(first, { isUrgent: performance.now() - lastMs > IDLE_MS });
  }

  #handleNext(connection: Connection): void {
    const { requests, socket } = connection;
    if (requests.length === 0) return;
    requests.shift();
    connection.lastMs = performance.now();
    if (requests.length === 0) return;
    this.#waiting--;
    if (requests.length === 1) this.#reading.release(socket);
    this.#start(connection);
  }
}
