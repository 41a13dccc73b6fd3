// Reduces the events of a payload one by one: mints and burns, and prints that are notifications or mints.
import { encodeAddress, type StandardPrincipal } from '#clarity/address.ts';
import { digestEvent, EVENT_FIELDS } from '#clarity/event-digest.ts';
import type { TokenEvent } from '#model/chain-event.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { MetadataNotification, PrintedNotification } from '#model/notification.ts';
import { decodeNotification, isEntitled, NAME_HEX } from '#standards/sip-019.ts';
import { readAssetNumber, readSftMint, SFT_MINT_HEX } from '#standards/token-events.ts';
import { JsonFields } from './json-fields.ts';
import { scanner } from './json-scanner.ts';

type Json = Record<string, unknown>;

/** Origins of successful transactions, which may come after their events; undefined if one cannot be decoded. */
export type Origins = ReadonlyMap<string, StandardPrincipal | undefined>;

interface OfTransaction {
  readonly txId: string;
  readonly eventIndex: number;
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
const MEMBERS = ['txid', 'type', 'committed', 'event_index', ...TYPES] as const;
const PRINT = '"contract_event"';
/** Limit for a block: the digests of more events are not held, and count as unknown. */
const MAX_DIGESTS = 500_000;
const NEEDED_PRINTS = [NAME_HEX, SFT_MINT_HEX].map((text) => ({
  at: scanner.keep(Buffer.from(text)),
  length: text.length,
}));
/** The event in progress: each is reduced at once. */
export const EVENT = new JsonFields(MEMBERS);
const CONTENT = new JsonFields(EVENT_FIELDS);

export class EventReducer {
  readonly #fail: (subject: string, failure: Failure) => void;
  readonly #mintsAndBurns: { txId: string; assetIdentifier: string; amount: bigint }[] = [];
  readonly #numbers: (TokenEvent & OfTransaction)[] = [];
  readonly #prints: (OfTransaction & { notification: MetadataNotification | Failure; emitter: string })[] = [];
  readonly #digests = new Map<string, { readonly index: number; readonly digest: Buffer }[]>();
  #digestCount = 0;
  #count = 0;

  constructor(fail: (subject: string, failure: Failure) => void) {
    this.#fail = fail;
  }

  addInvalid(): void {
    this.#fail(`event ${this.#count++}`, fail('event-invalid'));
  }

  /** Adds the event. A malformed event is lost without its block; an event without needed data is not checked. */
  add(): void {
    const position = this.#count++;
    const txId = EVENT.text('txid');
    this.#addDigest(txId, position);
    const type = ASSET_EVENTS.find((one) => EVENT.is('type', `"${one}"`));
    const isPrint =
      type === undefined && NEEDED_PRINTS.some(({ at, length }) => EVENT.contains('contract_event', at, length));
    if ((type === undefined && !isPrint) || !EVENT.is('committed', 'true')) return;
    const eventIndex = eventIndexOf(EVENT.value('event_index'), position);
    if (txId === undefined) {
      this.#fail(`event ${eventIndex}`, fail('event-invalid'));
      return;
    }
    const isUnderstood =
      type === undefined
        ? !EVENT.is('type', PRINT) || this.#addPrint({ txId, eventIndex }, asRecord(EVENT.value('contract_event')))
        : this.#addAssetEvent({ txId, eventIndex }, type, asRecord(EVENT.value(type)));
    if (!isUnderstood) this.#fail(txId, fail('event-invalid'));
  }

  #addDigest(txId: string | undefined, position: number): void {
    if (txId === undefined || !EVENT.is('committed', 'true') || ++this.#digestCount > MAX_DIGESTS) return;
    const type = EVENT.text('type') ?? '';
    const known = TYPES.find((one) => one === type);
    const isRead = known !== undefined && CONTENT.readMember(EVENT, known);
    const fields = EVENT_FIELDS.map((name) => (isRead ? CONTENT.textOrJson(name) : undefined));
    if (isRead) CONTENT.done();
    const one = { index: eventIndexOf(EVENT.value('event_index'), position), digest: digestEvent(type, fields) };
    const ofTransaction = this.#digests.get(txId);
    if (ofTransaction === undefined) this.#digests.set(txId, [one]);
    else ofTransaction.push(one);
  }

  /**
   * Concatenated digests of the events that a transaction committed, in order; undefined if the payload has no events,
   * or too many to hold.
   */
  digestsOf(txId: string): Uint8Array | undefined {
    if (this.#count === 0 || this.#digestCount > MAX_DIGESTS) return undefined;
    const events = this.#digests.get(txId) ?? [];
    return Buffer.concat(events.toSorted((left, right) => left.index - right.index).map(({ digest }) => digest));
  }

  #addAssetEvent(of: OfTransaction, type: AssetEvent, change: Json | undefined): boolean {
    const { asset_identifier: assetIdentifier, amount, raw_value: rawValue } = change ?? {};
    if (typeof assetIdentifier !== 'string') return false;
    if (type === 'nft_mint_event' || type === 'nft_burn_event') {
      if (typeof rawValue !== 'string') return false;
      const [contractId = '', assetName = ''] = assetIdentifier.split('::');
      const number = readAssetNumber(rawValue);
      const minted = type === 'nft_mint_event';
      if (number !== undefined)
        this.#numbers.push({ ...of, contractId, assetName, ...number, minted, burned: !minted });
      return true;
    }
    if (typeof amount !== 'string' || !/^\d{1,39}$/.test(amount)) return false;
    const signed = type === 'ft_mint_event' ? BigInt(amount) : -BigInt(amount);
    this.#mintsAndBurns.push({ txId: of.txId, assetIdentifier, amount: signed });
    return true;
  }

  #addPrint(of: OfTransaction, print: Json | undefined): boolean {
    const { contract_identifier: emitter, topic, raw_value: rawValue } = print ?? {};
    if (typeof emitter !== 'string' || typeof rawValue !== 'string') return false;
    if (topic !== 'print') return true;
    const minted = readSftMint(rawValue);
    if (minted !== undefined)
      this.#numbers.push({
        ...of,
        contractId: emitter,
        tokenNumber: minted,
        minted: true,
        burned: false,
        isOfOwner: true,
      });
    const notification = decodeNotification(rawValue);
    if (notification !== undefined) this.#prints.push({ ...of, notification, emitter });
    return true;
  }

  /** What successful transactions did; malformed notifications are failures. `early`: those that ran before others. */
  finish(origins: Origins, early: ReadonlySet<string>) {
    /** By index, since an observer may send events in another order. */
    const inOrder = (left: OfTransaction, right: OfTransaction) =>
      Number(early.has(right.txId)) - Number(early.has(left.txId)) || left.eventIndex - right.eventIndex;
    const isOfSuccess = ({ txId }: { readonly txId: string }) => origins.has(txId);
    const notifications = this.#prints.filter(isOfSuccess).sort(inOrder);
    const amounts = new Map<string, bigint>();
    for (const { assetIdentifier, amount } of this.#mintsAndBurns.filter(isOfSuccess))
      amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + amount);
    return {
      supplyChanges: [...amounts].map(([assetIdentifier, amount]) => ({ assetIdentifier, amount })),
      tokenEvents: mergeTokenEvents(this.#numbers.filter(isOfSuccess).sort(inOrder)),
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

/** Keeps each token once: the last event decides if it is burned. */
function mergeTokenEvents(events: Iterable<TokenEvent & OfTransaction>): TokenEvent[] {
  const merged = new Map<string, TokenEvent>();
  for (const { txId, eventIndex, ...event } of events) {
    const key = `${event.contractId} ${event.assetName} ${event.tokenNumber}`;
    const wasMinted = merged.get(key)?.minted === true;
    merged.set(key, { ...event, minted: event.minted || wasMinted });
  }
  return [...merged.values()];
}

function asRecord(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}

/** An index used for ordering only; falls back to the event's position in the list. */
export function eventIndexOf(index: unknown, position: number): number {
  return Number.isSafeInteger(index) && (index as number) >= 0 ? (index as number) : position;
}
