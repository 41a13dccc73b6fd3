// Limits the number of requests that Node reads in one round of the event loop, since Node parses all of them before
// anything else runs.
import type { Socket } from 'node:net';

/** The maximum number of requests in a round. After them, no connection is read until the next round. */
const MAX_REQUESTS = 200;
/**
 * The number of stopped connections that are read again in the first round. It doubles in each round with few requests.
 */
const FIRST_BATCH = 8;

/** While clients connect, one stopped connection is read again at this interval, in milliseconds. */
const ACCEPTING_MS = 5;

export class ReadingLimit {
  /** Sockets that have not sent a request, in the order in which they connected. */
  readonly #silent = new Set<Socket>();
  /** Sockets that have sent requests, in the order of their last requests. */
  readonly #active = new Set<Socket>();
  /** Sockets that are not read because a request of theirs waits. */
  readonly #waiting = new WeakSet<Socket>();
  /** Sockets that are not read because the limit was reached, or because further clients connect. */
  #stopped = new Set<Socket>();
  /**
   * Stopped sockets that have not sent a request, ordered by the time of their connection. The last one is read first,
   * before all other stopped sockets.
   */
  #newest: Socket[] = [];
  #requests = 0;
  #batch = FIRST_BATCH;
  #isCounting = false;
  /** True if a client has connected since the last round ended. */
  #hasAccepted = false;
  #isAccepting = false;
  #resumedMs = 0;

  /**
   * Adds a new connection. While clients connect in every round, new sockets are stopped, so that further clients are
   * accepted sooner.
   */
  add(socket: Socket): void {
    this.#silent.add(socket);
    // Node resumes the socket at the end of each request and each response, so it may have to be paused again.
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

  /** Counts a request of the socket. Stops all sockets if the limit is reached. */
  note(socket: Socket): void {
    this.#requests++;
    this.#silent.delete(socket);
    this.#active.delete(socket);
    this.#active.add(socket);
    this.#count();
    if (this.#requests === MAX_REQUESTS) this.#stopAll(socket);
  }

  /** Stops reading a socket until {@link release} is called. */
  hold(socket: Socket): void {
    if (this.#waiting.has(socket)) return;
    this.#waiting.add(socket);
    // The end of the current request resumes the socket, so it is paused after that.
    process.nextTick(() => this.#pause(socket));
  }

  release(socket: Socket): void {
    this.#waiting.delete(socket);
    this.#resume(socket);
  }

  /** Stops all sockets. Among those without a request, the newest one is read first, since it cannot have sent much. */
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
