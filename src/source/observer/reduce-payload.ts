// Reduces what an event observer is sent, the payload of one POST, to the ChainEvent that an index needs of it. Of the
// items of its lists, only the members that matter are read.
import { encodeAddress, type StandardPrincipal } from '#clarity/address.ts';
import { BlockEvents, eventIndexOf } from '#clarity/block-events.ts';
import {
  type DecodedDeploy,
  type DecodedTransaction,
  decodeTransaction,
  transactionId,
} from '#clarity/decode-transaction.ts';
import { findCalls } from '#clarity/find-calls.ts';
import { packCall } from '#clarity/packed-calls.ts';
import type { ChainEvent, ContractDeploy, SupplyChange, TokenEvent, TransactionFailure } from '#model/chain-event.ts';
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { MetadataNotification, PrintedNotification } from '#model/notification.ts';
import { packCode } from '#model/packed-code.ts';
import { isContractId } from '#model/principal.ts';
import { readInterfaceFacts } from '#standards/read-interface-facts.ts';
import { decodeNotification, isEntitled, NAME_HEX } from '#standards/sip-019.ts';
import { readAssetNumber, readSftMint, SFT_MINT_HEX } from '#standards/token-events.ts';
import { JsonFields } from './json-fields.ts';
import { CUT_OFF, OPEN_OBJECT, scanner } from './json-scanner.ts';
import { MalformedError } from './malformed-error.ts';

export type Kind = ChainEvent['kind'];
type Json = Record<string, unknown>;

interface OfTransaction {
  readonly txId: string;
  readonly eventIndex: number;
}

/** A print that is a notification, whoever printed it. */
interface Print extends OfTransaction {
  readonly notification: MetadataNotification | Failure;
  readonly emitter: string;
}

/** The top-level members that are read, but for the lists. */
export const MEMBERS: ReadonlySet<string> = new Set([
  'block_height',
  'burn_block_height',
  'burn_block_time',
  'index_block_hash',
  'parent_index_block_hash',
]);
/** The lists that are read. */
const TRANSACTIONS = 'transactions';
export const EVENTS = 'events';
const TRANSACTION_FIELDS = [
  'txid',
  'raw_tx',
  'status',
  'tx_index',
  'raw_result',
  'contract_interface',
  'contract_abi',
] as const;
const EVENT_FIELDS = [
  'txid',
  'type',
  'committed',
  'event_index',
  'ft_mint_event',
  'ft_burn_event',
  'nft_mint_event',
  'nft_burn_event',
  'contract_event',
] as const;
const ASSET_EVENTS = ['ft_mint_event', 'ft_burn_event', 'nft_mint_event', 'nft_burn_event'] as const;
type AssetEvent = (typeof ASSET_EVENTS)[number];
const PRINT = '"contract_event"';
/** What a burnchain operation (a transfer or a stacking made on Bitcoin) has for a raw transaction. */
const BURNCHAIN_OPERATION = '"0x00"';
const STATUS_SUCCESS = '"success"';
/** A print of which anything is needed has one of these. */
const NEEDED_PRINTS = [NAME_HEX, SFT_MINT_HEX].map((text) => ({
  at: scanner.keep(Buffer.from(text)),
  length: text.length,
}));
/** Of the item that is being read: each is reduced at once. */
const TRANSACTION = new JsonFields(TRANSACTION_FIELDS);
const EVENT = new JsonFields(EVENT_FIELDS);
/** Thousands of years of blocks; one that claims more would be the tip for ever. */
const MAX_HEIGHT = 0xffff_ffff;
/** The latest time that JavaScript can write as a date. */
const MAX_TIME_SECONDS = 8_640_000_000_000;
/** Per block: what is wrong with more of it is wrong with all of it. */
const MAX_FAILURES = 1_000;
const HASH_BYTES = 32;
const HASH_PATTERN = /^0x[0-9a-f]{64}$/;

/** What is sent to this path, or undefined where nothing of it is needed. */
export function kindOfPayload(path: string): Kind | undefined {
  return path === '/new_block' ? 'block' : path === '/new_microblocks' ? 'microblocks' : undefined;
}

/** Takes the items of the payload's lists one by one, so that none has to be held whole. */
export class PayloadReducer {
  readonly #kind: Kind;
  readonly #deploys: Omit<ContractDeploy, 'events'>[] = [];
  readonly #calls: Buffer[] = [];
  readonly #failures: TransactionFailure[] = [];
  readonly #mintsAndBurns: { txId: string; assetIdentifier: string; amount: bigint }[] = [];
  readonly #numbers: (TokenEvent & OfTransaction)[] = [];
  readonly #prints: Print[] = [];
  /** Of the successful transactions, which may come after their events; undefined where one cannot be decoded. */
  readonly #origins = new Map<string, StandardPrincipal | undefined>();
  #chainId: number | undefined;
  #transactions = 0;
  #events = 0;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  /**
   * An item of a list, which begins at `start` in the scanner's memory. Returns what is behind it, or CUT_OFF, and then
   * it was not read. Throws MalformedError.
   */
  readItem(list: string, start: number): number {
    const fields = list === TRANSACTIONS ? TRANSACTION : list === EVENTS ? EVENT : undefined;
    const isObject = scanner.bytes[start] === OPEN_OBJECT;
    if (fields === undefined || !isObject) {
      const end = scanner.endOfValue(start);
      if (end !== CUT_OFF && list === TRANSACTIONS) throw new MalformedError('a transaction is not an object');
      if (end !== CUT_OFF && list === EVENTS) this.#fail(`event ${this.#events++}`, fail('event-invalid'));
      return end;
    }
    const end = fields.read(start, scanner.end);
    if (end !== CUT_OFF) {
      if (fields === TRANSACTION) this.#addTransaction();
      else this.#addEvent();
    }
    fields.done();
    return end;
  }

  /**
   * `members`: the values of {@link MEMBERS} that are there. `eventsJson`: the list of events, if it is held. Throws
   * MalformedError.
   */
  finish(members: Json, eventsJson: Uint8Array | undefined): ChainEvent {
    const notifications = this.#readNotifications();
    const facts = {
      ...(this.#chainId === undefined ? {} : { chainId: this.#chainId }),
      burnBlockHeight: readHeight(members, 'burn_block_height'),
      ...readBurnBlockTime(members),
      parentIndexBlockHash: readHash(members, 'parent_index_block_hash'),
      deploys: this.#withEvents(eventsJson),
      failures: this.#failures,
    };
    if (this.#kind === 'microblocks') return { kind: 'microblocks', ...facts };
    return {
      kind: 'block',
      ...facts,
      indexBlockHash: readHash(members, 'index_block_hash'),
      height: readHeight(members, 'block_height'),
      calls: { packed: joined(this.#calls), eventsJson: this.#calls.length === 0 ? undefined : eventsJson },
      supplyChanges: this.#supplyChanges(),
      tokenEvents: this.#tokenEvents(),
      notifications,
    };
  }

  #fail(subject: string, failure: Failure): void {
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ subject, failure });
  }

  #addTransaction(): void {
    const txId = TRANSACTION.text('txid');
    const isBurnchainOperation = TRANSACTION.is('raw_tx', BURNCHAIN_OPERATION);
    const rawTx = TRANSACTION.hexBytes('raw_tx') ?? TRANSACTION.value('raw_tx');
    if ((typeof rawTx !== 'string' && !(rawTx instanceof Uint8Array)) || txId === undefined)
      throw new MalformedError('a transaction lacks txid or raw_tx');
    this.#transactions++;
    if (isBurnchainOperation) return;
    if (this.#chainId === undefined) this.#chainId = readChainId(rawTx) || undefined;
    if (!TRANSACTION.is('status', STATUS_SUCCESS)) return;
    const decoded = decodeTransaction(rawTx);
    this.#origins.set(txId, isFailure(decoded) ? undefined : decoded.origin);
    if (isFailure(decoded)) {
      this.#fail(txId, decoded);
      return;
    }
    const { deploy, call } = decoded;
    if (call !== undefined && this.#kind === 'block') this.#addCall(decoded, call);
    if (deploy === undefined) return;
    const read = this.#readDeploy(txId, rawTx, decoded, deploy);
    if (isFailure(read)) this.#fail(txId, read);
    else this.#deploys.push(read);
  }

  #addCall({ origin, sponsor }: DecodedTransaction, payload: Buffer): void {
    const txId = TRANSACTION.hexBytes('txid');
    const result = TRANSACTION.hexBytes('raw_result');
    if (txId?.length !== HASH_BYTES || result === undefined) return;
    this.#calls.push(packCall({ txIndex: this.#txIndex(), txId, origin, sponsor, payload, result }));
  }

  /** Its place in the list where it has no index. */
  #txIndex(): number {
    return eventIndexOf(TRANSACTION.value('tx_index'), this.#transactions);
  }

  #readDeploy(
    txId: string,
    rawTx: string | Uint8Array,
    { origin, sponsor }: DecodedTransaction,
    deploy: DecodedDeploy,
  ): Omit<ContractDeploy, 'events'> | Failure {
    if (transactionId(rawTx) !== txId) return fail('txid-mismatch');
    const senderAddress = encodeAddress(origin);
    const contractId = `${senderAddress}.${deploy.contractName}`;
    if (!isContractId(contractId)) return fail('contract-id-invalid');
    const contractInterface = this.#readInterface(
      txId,
      TRANSACTION.value('contract_interface') ?? TRANSACTION.value('contract_abi'),
    );
    return {
      contractId,
      txId,
      txIndex: this.#txIndex(),
      senderAddress,
      ...(sponsor === undefined ? {} : { sponsorAddress: encodeAddress(sponsor) }),
      ...(deploy.clarityVersion === undefined ? {} : { wireClarityVersion: deploy.clarityVersion }),
      references: findCalls(deploy.source, senderAddress),
      code: packCode(deploy.source, contractInterface && JSON.stringify(contractInterface)),
      interfaceFacts: contractInterface && readInterfaceFacts(contractInterface),
    };
  }

  #withEvents(json: Uint8Array | undefined): ContractDeploy[] {
    const events = new BlockEvents(json);
    return this.#deploys.map((deploy) => ({ ...deploy, events: events.digestsOf(deploy.txId) }));
  }

  /** Observers send the interface under one of two names, as an object or as text, or leave it out. */
  #readInterface(txId: string, value: unknown): ContractInterface | undefined {
    if (value === undefined || value === null) return undefined;
    const parsed = parseInterface(typeof value === 'string' ? parseOrUndefined(value) : value);
    if (isFailure(parsed)) {
      this.#fail(txId, parsed);
      return undefined;
    }
    const { unlistedTypes } = parsed;
    if (unlistedTypes.length > 0) {
      const some = unlistedTypes.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 40)));
      const what = `${unlistedTypes.length} types that this version does not list: ${some.join(', ')}`;
      this.#fail(txId, fail('interface-unlisted-type', `The contract interface names ${what}.`));
    }
    return parsed.interface;
  }

  /** An event of an odd form costs itself, not its block; whether one of which nothing is needed has it is not seen. */
  #addEvent(): void {
    const place = this.#events++;
    const type = ASSET_EVENTS.find((one) => EVENT.is('type', `"${one}"`));
    const isPrint =
      type === undefined && NEEDED_PRINTS.some(({ at, length }) => EVENT.contains('contract_event', at, length));
    if ((type === undefined && !isPrint) || !EVENT.is('committed', 'true')) return;
    const txId = EVENT.text('txid');
    const eventIndex = eventIndexOf(EVENT.value('event_index'), place);
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

  /** Those of successful transactions; malformed ones are failures. */
  #readNotifications(): PrintedNotification[] {
    return this.#prints.sort(byIndex).flatMap(({ notification, ...print }) => {
      if (!this.#origins.has(print.txId)) return [];
      if (isFailure(notification)) {
        this.#fail(`${print.txId} event ${print.eventIndex}`, notification);
        return [];
      }
      const origin = this.#origins.get(print.txId);
      const address = origin && encodeAddress(origin);
      return [{ ...notification, ...print, entitled: isEntitled(notification, print.emitter, address) }];
    });
  }

  #tokenEvents(): TokenEvent[] {
    return mergeTokenEvents(this.#numbers.filter(({ txId }) => this.#origins.has(txId)).sort(byIndex));
  }

  #supplyChanges(): SupplyChange[] {
    const amounts = new Map<string, bigint>();
    for (const { txId, assetIdentifier, amount } of this.#mintsAndBurns) {
      if (this.#origins.has(txId)) amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + amount);
    }
    return [...amounts].map(([assetIdentifier, amount]) => ({ assetIdentifier, amount }));
  }
}

/** An observer may send events in another order. */
function byIndex(left: OfTransaction, right: OfTransaction): number {
  return left.eventIndex - right.eventIndex;
}

/** Each token once: the last event says whether it is burned. */
function mergeTokenEvents(events: Iterable<TokenEvent & OfTransaction>): TokenEvent[] {
  const merged = new Map<string, TokenEvent>();
  for (const { txId, eventIndex, ...event } of events) {
    const key = `${event.contractId} ${event.assetName} ${event.tokenNumber}`;
    const wasMinted = merged.get(key)?.minted === true;
    merged.set(key, { ...event, minted: event.minted || wasMinted });
  }
  return [...merged.values()];
}

/** In memory of its own, which threads hand over whole. */
function joined(parts: readonly Buffer[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/** Version u8 and chain id u32 open every transaction, so this needs no decoding and no success. */
function readChainId(rawTx: string | Uint8Array): number {
  const chainId = typeof rawTx === 'string' ? rawTx.slice(4, 12) : Buffer.from(rawTx.subarray(1, 5)).toString('hex');
  return Number.parseInt(chainId, 16);
}

function readHash(members: Json, key: string): string {
  const value = members[key];
  if (typeof value !== 'string' || !HASH_PATTERN.test(value)) throw new MalformedError(`${key} is not a 32 byte hash`);
  return value;
}

function readHeight(members: Json, key: string): number {
  const value = members[key];
  if (!isWholeNumber(value) || value > MAX_HEIGHT) throw new MalformedError(`${key} is not a height`);
  return value;
}

/** Left out where it is no time, such as the 0 of a test chain: it is only shown. */
function readBurnBlockTime({ burn_block_time: time }: Json): { burnBlockTime?: number } {
  return isWholeNumber(time) && time > 0 && time <= MAX_TIME_SECONDS ? { burnBlockTime: time } : {};
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function asRecord(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
