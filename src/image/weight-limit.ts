// Limits the total weight of concurrent tasks, which start in the order of their requests. A limit for the number of
// tasks, as in p-queue, does not suffice: images differ in memory by a factor of a thousand.

export class WeightLimit {
  #left: number;
  readonly #waiting: { readonly weight: number; readonly start: () => void }[] = [];

  constructor(total: number) {
    this.#left = total;
  }

  /** Runs a task when the total weight allows it. `weight` must not exceed the total. */
  async run<Result>(weight: number, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((start) => {
      this.#waiting.push({ weight, start });
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#left += weight;
      this.#startNext();
    }
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.weight <= this.#left; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#left -= next.weight;
      next.start();
    }
  }
}
