// How long a server is to be left alone, since it asked for that or is in trouble.
import { type Failure, fail } from '#model/failure.ts';

/** Times are those of performance.now(), which is never set back. */
export class Hold {
  #until = 0;

  /** Zero where it may be asked. */
  get leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  extend(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds);
  }

  /** The failure of a request that is not sent meanwhile. */
  failureOf(host: string): Failure {
    const retryAfterSeconds = this.leftMs / 1_000;
    const message = `${host} asked to be left alone for ${Math.ceil(retryAfterSeconds)} s.`;
    return { ...fail('host-held', message), retryAfterSeconds };
  }
}
