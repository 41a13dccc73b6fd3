// Reduces the events of a payload one by one: mints and burns, and prints that are notifications or mints.
import { encodeAddress, type StandardPrincipal } from '#clarity/address.ts';
import { eventIndexOf } from '#clarity/block-events.ts';
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
const EVENT_FIELDS = ['txid', 'type', 'committed', 'event_index', ...ASSET_EVENTS, 'contract_event'] as const;
const PRINT = '"contract_event"';
const NEEDED_PRINTS = [NAME_HEX, SFT_MINT_HEX].map((text) => ({
  at: scanner.keep(Buffer.from(text)),
  length: text.length,
}));
/** The event in progress: each is reduced at once. */
export const EVENT = new JsonFields(EVENT_FIELDS);

export class EventReducer {
  readonly #fail: (subject: string, failure: Failure) => void;
  readonly #mintsAndBurns: { txId: string; assetIdentifier: string; amount: bigint }[] = [];
  readonly #numbers: (TokenEvent & OfTransaction)[] = [];
  readonly #prints: (OfTransaction & { notification: MetadataNotification | Failure; emitter: string })[] = [];
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
    const type = ASSET_EVENTS.find((one) => EVENT.is('type', `"${one}"`));
    const isPrint =
      type === undefined && NEEDED_PRINTS.some(({ at, length }) => EVENT.contains('contract_event', at, length));
    if ((type === undefined && !isPrint) || !EVENT.is('committed', 'true')) return;
    const txId = EVENT.text('txid');
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
