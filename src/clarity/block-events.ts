// Digests of a block's events by transaction, from the JSON list of a payload. Few blocks are queried, so the JSON is
// parsed on the first query.
import { digestObservedEvents } from './event-digest.ts';

type Event = Readonly<Record<string, unknown>>;

const NONE = new Uint8Array();
/** Number of searches in a block's events: more of them would take longer than parsing the list. */
const MAX_SEARCHES = 4;

export class BlockEvents {
  /** Undefined without events: an observer need not subscribe to them. */
  readonly #json: Buffer | undefined;
  #byTransaction: Map<unknown, Event[]> | undefined;
  #searches = 0;

  /** `json`: a list, which may be empty; undefined if there is none. */
  constructor(json: Uint8Array | undefined) {
    const bytes = json && Buffer.from(json.buffer, json.byteOffset, json.byteLength);
    this.#json = bytes?.includes('{') ? bytes : undefined;
  }

  /** Digests of the events that a transaction committed, in order; undefined if the block's events are unknown. */
  digestsOf(txId: string): Uint8Array | undefined {
    if (this.#json === undefined) return undefined;
    if (this.#byTransaction === undefined) {
      // Most deploys have no events: searching for an id takes a fifth of the time of parsing the list.
      const isParsed = ++this.#searches > MAX_SEARCHES || this.#json.includes(txId) || this.#json.includes('\\');
      if (!isParsed) return NONE;
      this.#byTransaction = groupByTransaction(parseEvents(this.#json));
    }
    return digestObservedEvents((this.#byTransaction.get(txId) ?? []).filter(({ committed }) => committed === true));
  }
}

/** The needed parts of the list were validated before; invalid JSON elsewhere in it is treated as missing. */
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
    .map((event, position) => ({ event, index: eventIndexOf(event.event_index, position) }))
    .sort((left, right) => left.index - right.index)
    .map(({ event }) => event);
  return Map.groupBy(inOrder, ({ txid }) => txid);
}

/** An index used for ordering only; falls back to the event's position in the list. */
export function eventIndexOf(index: unknown, position: number): number {
  return Number.isSafeInteger(index) && (index as number) >= 0 ? (index as number) : position;
}
