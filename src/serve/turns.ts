// Shares the event loop among all connections. Runs pieces of work in turn, and lets Node read and accept connections
// between them.

type Work = () => Promise<void> | void;

/** The time in milliseconds for which work runs before the event loop continues. */
const SLICE_MS = 8;
/**
 * The time in milliseconds for which work runs while clients connect. It is short, since libuv accepts only one
 * connection in each round of the event loop.
 */
const ACCEPTING_SLICE_MS = 1;
const ACCEPTING_MS = 4;
/**
 * The maximum number of pieces of work in progress. Work in progress may wait for a thread of Node, for example to
 * compute a hash.
 */
const MAX_RUNNING = 8;

export class Turns {
  /** Work that runs before all other work, in order of arrival. */
  readonly #urgent = new Set<Work>();
  readonly #other = new Set<Work>();
  #running = 0;
  #sliceEnd = 0;
  #isScheduled = false;
  #isAccepting = false;

  /** The number of pieces of work that have not started. */
  get waiting(): number {
    return this.#urgent.size + this.#other.size;
  }

  /** Adds work, which runs when it is its turn. Urgent work runs before all other work. */
  add(work: Work, { isUrgent }: { readonly isUrgent: boolean }): void {
    (isUrgent ? this.#urgent : this.#other).add(work);
    this.#continue();
  }

  /** Removes work that has not started. */
  remove(work: Work): void {
    this.#urgent.delete(work);
    this.#other.delete(work);
  }

  /** Notes that a client has connected. Further clients may wait to be accepted, so the next slice is short. */
  noteConnection(): void {
    this.#isAccepting = true;
  }

  /** Lets other work run while the caller waits for a promise, which may take long. */
  async whileWaiting<Result>(wait: Promise<Result>): Promise<Result> {
    this.#running--;
    this.#continue();
    return wait.finally(() => this.#running++);
  }

  #continue(): void {
    while (performance.now() < this.#sliceEnd && this.#runNext());
    if (this.waiting > 0 && this.#running < MAX_RUNNING) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#beginSlice());
  }

  #beginSlice(): void {
    const now = performance.now();
    this.#isScheduled = false;
    if (this.#isAccepting && now < this.#sliceEnd + ACCEPTING_MS) {
      this.#isAccepting = false;
      this.#schedule();
      return;
    }
    this.#sliceEnd = now + (this.#isAccepting ? ACCEPTING_SLICE_MS : SLICE_MS);
    this.#isAccepting = false;
    this.#runNext();
    this.#continue();
  }

  /** Starts the next piece of work. Returns false if no work waits, or if the maximum is in progress. */
  #runNext(): boolean {
    if (this.#running >= MAX_RUNNING) return false;
    const [next] = this.#urgent.size > 0 ? this.#urgent : this.#other;
    if (next === undefined) return false;
    this.remove(next);
    void this.#run(next);
    return true;
  }

  async #run(work: Work): Promise<void> {
    this.#running++;
    await work();
    this.#running--;
    this.#continue();
  }
}
