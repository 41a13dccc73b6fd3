// Reduces the members of a /new_block or /new_microblocks payload to a ChainEvent; lists come item by item, so that none has to be held whole.
import { decodeTransaction } from '#clarity/decode-transaction.ts';
import type { ChainEvent, ContractDeploy, SupplyChange, TransactionFailure } from '#model/chain-event.ts';
import { type ContractInterface, parseInterface } from '#model/contract-interface.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { MetadataNotification, PrintedNotification } from '#model/notification.ts';
import { packCode } from '#model/packed-code.ts';
import { isContractId } from '#model/principal.ts';
import { readInterfaceFacts } from '#standards/read-interface-facts.ts';
import { decodeNotification, isEntitled } from '#standards/sip-019.ts';
import { cutBytes } from './cut-transactions.ts';

/** The payload is JSON, but not what an observer sends; the message completes "line 7: …". */
export class PayloadError extends Error {}

type Json = Record<string, unknown>;

/** A print that is a notification, whoever printed it. */
interface Notified {
  readonly notification: MetadataNotification | Failure;
  readonly emitter: string;
  readonly txId: string;
  readonly eventIndex: number;
}

/** What a burnchain operation (a transfer or a stacking made on Bitcoin) has for a raw transaction. */
const BURNCHAIN_OPERATION = '0x00';
const STATUS_SUCCESS = 'success';
/** Thousands of years of blocks; one that claims more would be the tip for ever. */
const MAX_HEIGHT = 0xffff_ffff;
/** The end of the times that JavaScript can write as a date. */
const MAX_TIME_SECONDS = 8_640_000_000_000;
/** Of a block: whatever is wrong with more of it is wrong with all of it. */
const MAX_FAILURES = 1_000;
const HASH_PATTERN = /^0x[0-9a-f]{64}$/;

export class BlockReducer {
  readonly #kind: ChainEvent['kind'];
  readonly #cut: readonly Uint8Array[];
  readonly #members: Json = {};
  readonly #deploys: ContractDeploy[] = [];
  readonly #failures: TransactionFailure[] = [];
  readonly #supply: { txId: string; assetIdentifier: string; amount: bigint }[] = [];
  readonly #notifications: Notified[] = [];
  /** Raw bytes of the successful transactions: an event counts only if it is of one. */
  readonly #succeeded = new Map<string, string | Uint8Array>();
  #chainId: number | undefined;
  #transactions = 0;
  #events = 0;

  /** `cut`: what `cutTransactions` took out of the payload. */
  constructor(kind: ChainEvent['kind'], cut: readonly Uint8Array[] = []) {
    this.#kind = kind;
    this.#cut = cut;
  }

  /** A whole payload at once. */
  static reduce(kind: ChainEvent['kind'], payload: unknown, cut: readonly Uint8Array[] = []): ChainEvent {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
      throw new PayloadError('the JSON is not an object');
    const reducer = new BlockReducer(kind, cut);
    for (const [key, value] of Object.entries(payload)) {
      if (Array.isArray(value)) for (const item of value) reducer.item(key, item);
      reducer.member(key, value);
    }
    return reducer.finish();
  }

  /** A member of the payload; what a list holds comes by {@link item}. */
  member(key: string, value: unknown): void {
    this.#members[key] = Array.isArray(value) ? [] : value;
  }

  item(key: string, item: unknown): void {
    if (key === 'transactions') this.#addTransaction(asObject(item, 'a transaction'));
    else if (key === 'events') this.#addEvent(item);
  }

  #fail(subject: string, failure: Failure): void {
    if (this.#failures.length < MAX_FAILURES) this.#failures.push({ subject, failure });
  }

  finish(): ChainEvent {
    const notifications = this.#readNotifications();
    const base = {
      ...(this.#chainId === undefined ? {} : { chainId: this.#chainId }),
      burnBlockHeight: this.#height('burn_block_height'),
      ...this.#burnBlockTime(),
      parentIndexBlockHash: this.#hash('parent_index_block_hash'),
      deploys: this.#deploys,
      failures: this.#failures,
    };
    if (this.#kind === 'microblocks') return { kind: 'microblocks', ...base };
    return {
      kind: 'block',
      ...base,
      indexBlockHash: this.#hash('index_block_hash'),
      height: this.#height('block_height'),
      supplyChanges: this.#supplyChanges(),
      notifications,
    };
  }

  #addTransaction(transaction: Json): void {
    const hex = transaction.raw_tx;
    const txId = transaction.txid;
    if (typeof hex !== 'string' || typeof txId !== 'string')
      throw new PayloadError('a transaction lacks txid or raw_tx');
    this.#transactions++;
    if (hex === BURNCHAIN_OPERATION) return;
    const rawTx = cutBytes(hex, this.#cut) ?? hex;
    const chainId = readChainId(rawTx);
    if (this.#chainId === undefined && chainId > 0) this.#chainId = chainId;
    if (transaction.status !== STATUS_SUCCESS) return;
    this.#succeeded.set(txId, rawTx);

    const decoded = decodeTransaction(rawTx);
    if (isFailure(decoded)) {
      this.#fail(txId, decoded);
      return;
    }
    if (decoded.deploy === undefined) return;
    if (decoded.txId !== txId) {
      this.#fail(txId, fail('txid-mismatch'));
      return;
    }
    const contractId = `${decoded.originAddress}.${decoded.deploy.contractName}`;
    if (!isContractId(contractId)) {
      this.#fail(txId, fail('contract-id-invalid'));
      return;
    }
    const contractInterface = this.#readInterface(txId, transaction.contract_interface ?? transaction.contract_abi);
    this.#deploys.push({
      contractId,
      txId,
      txIndex: readIndex(transaction.tx_index, this.#transactions),
      senderAddress: decoded.originAddress,
      ...(decoded.deploy.clarityVersion === undefined ? {} : { wireClarityVersion: decoded.deploy.clarityVersion }),
      code: packCode(decoded.deploy.source, contractInterface && JSON.stringify(contractInterface)),
      interfaceFacts: contractInterface && readInterfaceFacts(contractInterface),
    });
  }

  /** Observers send the interface under one of two names, as an object or as text, or leave it out. */
  #readInterface(txId: string, value: unknown): ContractInterface | undefined {
    if (value === undefined || value === null) return undefined;
    const parsed = parseInterface(typeof value === 'string' ? parseOrUndefined(value) : value);
    if (isFailure(parsed)) {
      this.#fail(txId, parsed);
      return undefined;
    }
    if (parsed.unlistedTypes.length > 0) {
      const some = parsed.unlistedTypes.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 40)));
      const message = `The contract interface names ${parsed.unlistedTypes.length} types that this version does not list: ${some.join(', ')}.`;
      this.#fail(txId, fail('interface-unlisted-type', message));
    }
    return parsed.interface;
  }

  /** An event of an odd form costs itself, not its block. */
  #addEvent(item: unknown): void {
    const eventIndex = readIndex(asRecord(item)?.event_index, this.#events++);
    const event = asRecord(item);
    const txId = event?.txid;
    if (event === undefined || typeof txId !== 'string') {
      this.#fail(`event ${eventIndex}`, fail('event-invalid'));
    } else if (event.committed === true) {
      const understood =
        event.type === 'ft_mint_event' || event.type === 'ft_burn_event'
          ? this.#addSupply(txId, event.type, asRecord(event[event.type]))
          : event.type !== 'contract_event' || this.#addPrint(txId, eventIndex, asRecord(event.contract_event));
      if (!understood) this.#fail(txId, fail('event-invalid'));
    }
  }

  #addSupply(txId: string, type: 'ft_mint_event' | 'ft_burn_event', change: Json | undefined): boolean {
    const { asset_identifier: assetIdentifier, amount } = change ?? {};
    if (typeof assetIdentifier !== 'string' || typeof amount !== 'string' || !/^\d{1,39}$/.test(amount)) return false;
    this.#supply.push({ txId, assetIdentifier, amount: type === 'ft_mint_event' ? BigInt(amount) : -BigInt(amount) });
    return true;
  }

  #addPrint(txId: string, eventIndex: number, print: Json | undefined): boolean {
    const { contract_identifier: emitter, topic, raw_value: rawValue } = print ?? {};
    if (typeof emitter !== 'string' || typeof rawValue !== 'string') return false;
    if (topic !== 'print') return true;
    const notification = decodeNotification(rawValue);
    if (notification !== undefined) this.#notifications.push({ notification, emitter, txId, eventIndex });
    return true;
  }

  /** Only those of successful transactions, which may come after their events; malformed ones are failures. */
  #readNotifications(): PrintedNotification[] {
    return this.#notifications.flatMap(({ notification, emitter, txId, eventIndex }) => {
      const rawTx = this.#succeeded.get(txId);
      if (rawTx === undefined) return [];
      if (isFailure(notification)) {
        this.#fail(`${txId} event ${eventIndex}`, notification);
        return [];
      }
      const transaction = decodeTransaction(rawTx);
      const origin = isFailure(transaction) ? undefined : transaction.originAddress;
      const entitled = isEntitled(notification, emitter, origin);
      return [{ ...notification, txId, eventIndex, emitter, entitled }];
    });
  }

  #supplyChanges(): SupplyChange[] {
    const amounts = new Map<string, bigint>();
    for (const { txId, assetIdentifier, amount } of this.#supply) {
      if (this.#succeeded.has(txId)) amounts.set(assetIdentifier, (amounts.get(assetIdentifier) ?? 0n) + amount);
    }
    return [...amounts].map(([assetIdentifier, amount]) => ({ assetIdentifier, amount }));
  }

  #hash(key: string): string {
    const value = this.#members[key];
    if (typeof value !== 'string' || !HASH_PATTERN.test(value)) throw new PayloadError(`${key} is not a 32 byte hash`);
    return value;
  }

  /** Left out where it is no time, such as the 0 of a test chain: it is only shown. */
  #burnBlockTime(): { burnBlockTime?: number } {
    const value = this.#members.burn_block_time;
    return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= MAX_TIME_SECONDS
      ? { burnBlockTime: value as number }
      : {};
  }

  #height(key: string): number {
    const value = this.#members[key];
    if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > MAX_HEIGHT) {
      throw new PayloadError(`${key} is not a height`);
    }
    return value as number;
  }
}

/** Version u8 and chain id u32 open every transaction, so this needs no decoding and no success. */
function readChainId(rawTx: string | Uint8Array): number {
  const chainId = typeof rawTx === 'string' ? rawTx.slice(4, 12) : Buffer.from(rawTx.subarray(1, 5)).toString('hex');
  return Number.parseInt(chainId, 16);
}

function asObject(value: unknown, what: string): Json {
  const record = asRecord(value);
  if (record === undefined) throw new PayloadError(`${what} is not an object`);
  return record;
}

function asRecord(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}

/** An index that only orders: its place in the list where it is none. */
function readIndex(value: unknown, place: number): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : place;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
