// Shares the event loop among all connections: runs pieces of work in turn, and lets Node read and accept in between.

type Work = () => Promise<void> | void;

/** The time in which work runs before the event loop goes on, in milliseconds. */
const SLICE_MS = 8;
/** libuv accepts one connection in each round of the event loop. While clients connect, most rounds do nothing else. */
const ACCEPTING_SLICE_MS = 1;
const ACCEPTING_MS = 4;
/** The maximum number of pieces of work in progress; they wait for threads of Node, for example for a hash. */
const MAX_RUNNING = 8;

export class Turns {
  /** Work that runs first, in order of arrival. */
  readonly #urgent = new Set<Work>();
  readonly #other = new Set<Work>();
  #running = 0;
  #sliceEnd = 0;
  #isScheduled = false;
  #isAccepting = false;

  /** The number of pieces of work that wait. */
  get waiting(): number {
    return this.#urgent.size + this.#other.size;
  }

  /** Runs the work when it is its turn; urgent work runs first. */
  add(work: Work, { isUrgent }: { readonly isUrgent: boolean }): void {
    (isUrgent ? this.#urgent : this.#other).add(work);
    this.#continue();
  }

  /** Removes work that waits. */
  remove(work: Work): void {
    this.#urgent.delete(work);
    this.#other.delete(work);
  }

  /** Reports a new connection: further connections may wait. */
  noteConnection(): void {
    this.#isAccepting = true;
  }

  /** Lets other work run while the current work waits for something that may take long. */
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

  /** Starts the next piece of work. Returns false if nothing waits, or if enough is in progress. */
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
