// The events of a block, by transaction: the JSON of a payload's list in, digests out. Of most blocks nobody asks, so
// the JSON is parsed when somebody does.
import { digestObservedEvents } from './event-digest.ts';

type Event = Readonly<Record<string, unknown>>;

const NONE = new Uint8Array();

export class BlockEvents {
  /** Undefined where there are no events: an observer need not subscribe to them. */
  readonly #json: Buffer | undefined;
  #byTransaction: Map<unknown, Event[]> | undefined;

  /** `json`: of a list, which may be empty; undefined where there is none. */
  constructor(json: Uint8Array | undefined) {
    const bytes = json && Buffer.from(json.buffer, json.byteOffset, json.byteLength);
    this.#json = bytes?.includes('{') ? bytes : undefined;
  }

  /** Digests of the events that a transaction committed, in their order; undefined where those of the block are not known. */
  digestsOf(txId: string): Uint8Array | undefined {
    if (this.#json === undefined) return undefined;
    // Most deploys have no events: to look for the id takes a fifth of what it takes to parse the list.
    const mayBeThere = this.#byTransaction !== undefined || this.#json.includes(txId) || this.#json.includes('\\');
    if (!mayBeThere) return NONE;
    this.#byTransaction ??= groupByTransaction(parseEvents(this.#json));
    return digestObservedEvents((this.#byTransaction.get(txId) ?? []).filter(({ committed }) => committed === true));
  }
}

/** The list was read before, as far as something was needed of it; what of the rest is no JSON is as if it were not there. */
function parseEvents(json: Buffer): Event[] {
  try {
    const events: unknown[] = JSON.parse(json.toString());
    return events.filter((event): event is Event => typeof event === 'object' && event !== null);
  } catch {
    return [];
  }
}

function groupByTransaction(events: readonly Event[]): Map<unknown, Event[]> {
  const inOrder = events
    .map((event, place) => ({ event, index: eventIndexOf(event.event_index, place) }))
    .sort((left, right) => left.index - right.index);
  const groups = Map.groupBy(inOrder, ({ event }) => event.txid);
  return new Map([...groups].map(([txId, group]) => [txId, group.map(({ event }) => event)]));
}

/** An index that only orders: its place in the list where it is none. */
export function eventIndexOf(index: unknown, place: number): number {
  return Number.isSafeInteger(index) && (index as number) >= 0 ? (index as number) : place;
}
