// Says whether some bytes occur in a part of others, of which one part is asked about after the other.

export class Occurrences {
  readonly #searched: Buffer;
  #bytes: Buffer | undefined;
  /** None begins from here up to the next. */
  #from = 0;
  #next = 0;

  constructor(searched: string) {
    this.#searched = Buffer.from(searched);
  }

  /** Searches each place once, whatever the parts, if they come in their order. */
  areIn(bytes: Buffer, start: number, end: number): boolean {
    if (bytes !== this.#bytes || start < this.#from || start > this.#next) {
      const next = bytes.indexOf(this.#searched, start);
      this.#bytes = bytes;
      this.#from = start;
      this.#next = next === -1 ? Number.POSITIVE_INFINITY : next;
    }
    return this.#next < end;
  }
}
