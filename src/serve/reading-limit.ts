// Limits the number of requests that Node reads in one round of the event loop, since it parses all of them at once.
import type { Socket } from 'node:net';

/** The number of requests after which no further connection is read in a round. */
const MAX_REQUESTS = 200;
/** The number of connections to read again in the next round, at first; it doubles while they send few requests. */
const FIRST_BATCH = 8;

/** The time between two connections that are read while further ones connect, in milliseconds. */
const ACCEPTING_MS = 5;

export class ReadingLimit {
  /** Sockets without a request, in order of their connection. */
  readonly #silent = new Set<Socket>();
  /** Other sockets, in order of their last request. */
  readonly #active = new Set<Socket>();
  /** Sockets with requests that wait. */
  readonly #waiting = new WeakSet<Socket>();
  /** Sockets that are not read because of the limit. */
  #stopped = new Set<Socket>();
  /** Stopped sockets without a request, the newest ones last: they are read before the others. */
  #newest: Socket[] = [];
  #requests = 0;
  #batch = FIRST_BATCH;
  #isCounting = false;
  /** True if a client connected in this round, or in the last round. */
  #hasAccepted = false;
  #isAccepting = false;
  #resumedMs = 0;

  /** While clients connect one after the other, their sockets are not read: the next client is accepted sooner. */
  add(socket: Socket): void {
    this.#silent.add(socket);
    // Node itself goes on reading at the end of each request and of each response.
    socket.on('resume', () => this.#pause(socket));
    if (this.#isAccepting) {
      this.#stopped.add(socket);
      this.#newest.push(socket);
    }
    this.#hasAccepted = true;
    this.#count();
  }

  delete(socket: Socket): void {
    this.#silent.delete(socket);
    this.#active.delete(socket);
    this.#stopped.delete(socket);
  }

  /** Counts a request. */
  note(socket: Socket): void {
    this.#requests++;
    this.#silent.delete(socket);
    this.#active.delete(socket);
    this.#active.add(socket);
    this.#count();
    if (this.#requests === MAX_REQUESTS) this.#stopAll(socket);
  }

  /** Stops reading a socket until `release`. */
  hold(socket: Socket): void {
    if (this.#waiting.has(socket)) return;
    this.#waiting.add(socket);
    // Deferred, since the end of the current request resumes the socket.
    process.nextTick(() => this.#pause(socket));
  }

  release(socket: Socket): void {
    this.#waiting.delete(socket);
    this.#resume(socket);
  }

  /** The socket that connected last is read first: it cannot have sent much. */
  #stopAll(current: Socket): void {
    this.#batch = FIRST_BATCH;
    this.#newest = [...this.#silent];
    this.#stopped = new Set([...this.#silent, ...this.#active]);
    for (const socket of this.#stopped) this.#pause(socket);
    process.nextTick(() => this.#pause(current));
  }

  #pause(socket: Socket): void {
    if (this.#waiting.has(socket) || this.#stopped.has(socket)) socket.pause();
  }

  #resume(socket: Socket): void {
    if (!this.#waiting.has(socket) && !this.#stopped.has(socket)) socket.resume();
  }

  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    setImmediate(() => this.#endRound());
  }

  #endRound(): void {
    this.#isCounting = false;
    const hasAccepted = this.#hasAccepted;
    this.#hasAccepted = false;
    this.#isAccepting = hasAccepted;
    if (this.#requests < MAX_REQUESTS) this.#batch *= 2;
    this.#requests = 0;
    const now = performance.now();
    if (!hasAccepted || now - this.#resumedMs >= ACCEPTING_MS) {
      this.#resumedMs = now;
      this.#readAgain(hasAccepted ? 1 : this.#batch);
    }
    if (hasAccepted || this.#stopped.size > 0) this.#count();
  }

  #readAgain(count: number): void {
    for (let left = count; left > 0 && this.#stopped.size > 0; left--) {
      const [oldest] = this.#stopped;
      const socket = this.#newest.pop() ?? oldest;
      if (socket !== undefined && this.#stopped.delete(socket)) this.#resume(socket);
    }
  }
}
