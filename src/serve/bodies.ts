// Keeps bodies in memory within a number of bytes: those that are being sent, and of the others those asked for last.

/** What a body costs besides its bytes. */
const OVERHEAD_BYTES = 1_000;

/** A body that stays where it is until it is released. */
export interface HeldBody {
  readonly bytes: Buffer | Promise<Buffer>;
}

interface KeptBody extends HeldBody {
  cost: number;
  holders: number;
}

export class Bodies {
  readonly #most: number;
  readonly #largest: number;
  /** By what names their content, the one asked for last at the end. */
  readonly #bodies = new Map<string, KeptBody>();
  #cost = 0;

  /** In bytes: of all bodies, and of one. */
  constructor(most: number, largest: number) {
    this.#most = most;
    this.#largest = largest;
  }

  /** The body with this name, if it is there; to be released. */
  get(name: string): HeldBody | undefined {
    const body = this.#bodies.get(name);
    if (body === undefined) return undefined;
    this.#bodies.delete(name);
    this.#bodies.set(name, body);
    body.holders++;
    return body;
  }

  /** Puts a body of at most `size` bytes in, which is not there yet; to be released. Undefined if there is no room. */
  add(name: string, size: number, make: () => Buffer | Promise<Buffer>): HeldBody | undefined {
    if (!this.hasRoom(size)) return undefined;
    const bytes = make();
    const body = { bytes, cost: size + OVERHEAD_BYTES, holders: 1 };
    this.#cost += body.cost;
    this.#bodies.set(name, body);
    if (bytes instanceof Promise) this.#settle(name, body, bytes);
    return body;
  }

  release(body: HeldBody): void {
    (body as KeptBody).holders--;
  }

  /** Whether one of so many bytes fits, once others have gone for it. */
  hasRoom(size: number): boolean {
    if (size > this.#largest) return false;
    const most = this.#most - size - OVERHEAD_BYTES;
    if (this.#cost <= most) return true;
    for (const [name, body] of this.#bodies) {
      if (body.holders === 0) this.#drop(name, body);
      if (this.#cost <= most) return true;
    }
    return false;
  }

  /** A body that is being made has the cost of its largest size until it is there, and stays until then. */
  #settle(name: string, body: KeptBody, made: Promise<Buffer>): void {
    body.holders++;
    made.then(
      ({ length }) => {
        this.#cost += length + OVERHEAD_BYTES - body.cost;
        body.cost = length + OVERHEAD_BYTES;
        body.holders--;
      },
      () => this.#drop(name, body),
    );
  }

  #drop(name: string, body: KeptBody): void {
    this.#bodies.delete(name);
    this.#cost -= body.cost;
  }
}
