// Finds mints, burns and metadata notifications in the events of a payload, one event at a time.
import { encodeAddress, type StandardPrincipal } from '#clarity/address.ts';
import { digestEvent, EVENT_FIELDS } from '#clarity/event-digest.ts';
import type { MetadataNotification, PrintedNotification, TokenEvent } from '#model/chain-event.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { decodeNotification, isEntitled, NAME_HEX } from '#standards/sip-019.ts';
import { readAssetNumber, readSftMint, SFT_MINT_HEX } from '#standards/token-events.ts';
import { isObject, type Json, textOrJson } from './parse-payload.ts';

/**
 * The origins of successful transactions by id; undefined if an origin cannot be decoded. Transactions may follow their
 * events.
 */
export type Origins = ReadonlyMap<string, StandardPrincipal | undefined>;

interface EventPosition {
  readonly txId: string;
  readonly eventIndex: number;
}

/** An event that counts, with the fields that are read. */
export interface CountedEvent extends EventPosition {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

const ASSET_EVENTS = ['ft_mint_event', 'ft_burn_event', 'nft_mint_event', 'nft_burn_event'] as const;
type AssetEvent = (typeof ASSET_EVENTS)[number];
const TYPES = [
  ...ASSET_EVENTS,
  'contract_event',
  'ft_transfer_event',
  'nft_transfer_event',
  'stx_transfer_event',
  'stx_mint_event',
  'stx_burn_event',
  'stx_lock_event',
] as const;
const PRINT = 'contract_event';
/** The maximum number of event digests of a block. If a block has more events, all of its digests are unknown. */
const MAX_DIGESTS = 500_000;
/** A print without one of these texts has no effect. */
const NEEDED_PRINTS = [NAME_HEX, SFT_MINT_HEX];

export class EventReducer {
  readonly #fail: (subject: string, failure: Failure) => void;
  readonly #onCounted: ((event: CountedEvent) => void) | undefined;
  readonly #mintsAndBurns: { txId: string; assetIdentifier: string; amount: bigint }[] = [];
  readonly #numbers: (TokenEvent & EventPosition)[] = [];
  readonly #prints: (EventPosition & { notification: MetadataNotification | Failure; emitter: string })[] = [];
  readonly #digests = new Map<string, { readonly index: number; readonly digest: Buffer }[]>();
  #digestCount = 0;
  #count = 0;

  /** `onCounted` receives the events that count if their transactions succeeded. */
  constructor(fail: (subject: string, failure: Failure) => void, onCounted?: (event: CountedEvent) => void) {
    this.#fail = fail;
    this.#onCounted = onCounted;
  }

  /**
   * Adds an event. A malformed event is recorded as a failure, and the rest of its block is still read. Events without
   * relevant data are not validated.
   */
  add(event: unknown): void {
    const position = this.#count++;
    if (!isObject(event)) {
      this.#fail(`event ${position}`, fail('event-invalid'));
      return;
    }
    if (event.committed !== true) return;
    const { txid: txId, type } = event;
    const eventIndex = eventIndexOf(event.event_index, position);
    if (typeof txId === 'string') this.#addDigest({ txId, eventIndex }, event);
    const assetEvent = ASSET_EVENTS.find((name) => name === type);
    if (assetEvent === undefined && !isNeededPrint(event)) return;
    if (typeof txId !== 'string') {
      this.#fail(`event ${eventIndex}`, fail('event-invalid'));
      return;
    }
    const content = event[assetEvent ?? PRINT];
    const isValid =
      assetEvent === undefined
        ? this.#addPrint({ txId, eventIndex }, content)
        : this.#addAssetEvent({ txId, eventIndex }, assetEvent, content);
    if (!isValid) this.#fail(txId, fail('event-invalid'));
  }

  #addDigest({ txId, eventIndex }: EventPosition, json: Json): void {
    if (++this.#digestCount > MAX_DIGESTS) return;
    const type = typeof json.type === 'string' ? json.type : '';
    const known = TYPES.find((name) => name === type);
    const content = known === undefined ? undefined : json[known];
    const fields = EVENT_FIELDS.map((name) => (isObject(content) ? textOrJson(content[name]) : undefined));
    const event = { index: eventIndex, digest: digestEvent(type, fields) };
    const transactionEvents = this.#digests.get(txId);
    if (transactionEvents === undefined) this.#digests.set(txId, [event]);
    else transactionEvents.push(event);
  }

  /**
   * Returns the concatenated digests of the events that a transaction committed, in order. Returns undefined if the
   * payload has no events, or too many.
   */
  digestsOf(txId: string): Uint8Array | undefined {
    if (this.#count === 0 || this.#digestCount > MAX_DIGESTS) return undefined;
    const events = this.#digests.get(txId) ?? [];
    return Buffer.concat(events.toSorted((left, right) => left.index - right.index).map(({ digest }) => digest));
  }

  #addAssetEvent(position: EventPosition, type: AssetEvent, change: unknown): boolean {
    const { asset_identifier: assetIdentifier, amount, raw_value: rawValue } = isObject(change) ? change : {};
    if (typeof assetIdentifier !== 'string') return false;
    if (type === 'nft_mint_event' || type === 'nft_burn_event') {
      if (typeof rawValue !== 'string') return false;
      const [contractId = '', assetName = ''] = assetIdentifier.split('::');
      const number = readAssetNumber(rawValue);
      const minted = type === 'nft_mint_event';
      if (number === undefined) return true;
      this.#numbers.push({ ...position, contractId, assetName, ...number, minted, burned: !minted });
      this.#onCounted?.({ ...position, type, fields: { asset_identifier: assetIdentifier, raw_value: rawValue } });
      return true;
    }
    if (typeof amount !== 'string' || !/^\d{1,39}$/.test(amount)) return false;
    const signed = type === 'ft_mint_event' ? BigInt(amount) : -BigInt(amount);
    this.#mintsAndBurns.push({ txId: position.txId, assetIdentifier, amount: signed });
    this.#onCounted?.({ ...position, type, fields: { asset_identifier: assetIdentifier, amount } });
    return true;
  }

  #addPrint(position: EventPosition, print: unknown): boolean {
    const { contract_identifier: emitter, topic, raw_value: rawValue } = isObject(print) ? print : {};
    if (typeof emitter !== 'string' || typeof rawValue !== 'string') return false;
    if (topic !== 'print') return true;
    const minted = readSftMint(rawValue);
    if (minted !== undefined)
      this.#numbers.push({
        ...position,
        contractId: emitter,
        tokenNumber: minted,
        minted: true,
        burned: false,
        isOfOwner: true,
      });
    const notification = decodeNotification(rawValue);
    if (notification !== undefined) this.#prints.push({ ...position, notification, emitter });
    if (minted === undefined && notification === undefined) return true;
    const fields = { contract_identifier: emitter, topic, raw_value: rawValue };
    this.#onCounted?.({ ...position, type: 'contract_event', fields });
    return true;
  }

  /**
   * Returns the effects of successful transactions; malformed notifications become failures. `origins` has the
   * transactions in the order of the block, and `early` the ids of those that ran before the others.
   */
  finish(origins: Origins, early: ReadonlySet<string>) {
    const places = new Map([...new Set([...early, ...origins.keys()])].map((txId, index) => [txId, index]));
    const placeOf = ({ txId }: EventPosition) => places.get(txId) ?? 0;
    /**
     * Compares two events for sorting, since an observer may send events in any order. Compares their transactions
     * first: some sources number the events within each transaction.
     */
    const inOrder = (left: EventPosition, right: EventPosition) =>
      placeOf(left) - placeOf(right) || left.eventIndex - right.eventIndex;
    const hasSucceeded = ({ txId }: { readonly txId: string }) => origins.has(txId);
    const notifications = this.#prints.filter(hasSucceeded).sort(inOrder);
    const amounts = new Map<string, bigint>();
    for (const { assetIdentifier, amount } of this.#mintsAndBurns.filter(hasSucceeded))
      amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + amount);
    return {
      supplyChanges: [...amounts].map(([assetIdentifier, amount]) => ({ assetIdentifier, amount })),
      tokenEvents: mergeTokenEvents(this.#numbers.filter(hasSucceeded).sort(inOrder)),
      notifications: notifications.flatMap(({ notification, ...print }): PrintedNotification[] => {
        if (isFailure(notification)) {
          this.#fail(`${print.txId} event ${print.eventIndex}`, notification);
          return [];
        }
        const origin = origins.get(print.txId);
        const address = origin && encodeAddress(origin);
        return [{ ...notification, ...print, entitled: isEntitled(notification, print.emitter, address) }];
      }),
    };
  }
}

/** Merges the events of each token. The last event decides if the token is burned. */
function mergeTokenEvents(events: Iterable<TokenEvent & EventPosition>): TokenEvent[] {
  const merged = new Map<string, TokenEvent>();
  for (const { txId, eventIndex, ...event } of events) {
    const key = `${event.contractId} ${event.assetName ?? ''} ${event.tokenNumber}`;
    const wasMinted = merged.get(key)?.minted === true;
    merged.set(key, { ...event, minted: event.minted || wasMinted });
  }
  return [...merged.values()];
}

function isNeededPrint({ type, contract_event: print }: Json): boolean {
  const text = type === PRINT && isObject(print) ? print.raw_value : undefined;
  return typeof text === 'string' && NEEDED_PRINTS.some((needed) => text.includes(needed));
}

/** Returns the index of an event, or its position in the list if the index is invalid. Used only for sorting. */
export function eventIndexOf(index: unknown, position: number): number {
  return Number.isSafeInteger(index) && (index as number) >= 0 ? (index as number) : position;
}
