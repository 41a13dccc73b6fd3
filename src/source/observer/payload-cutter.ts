// Cuts a payload down to the data that an index reads, for a seed: transactions that deploy, call or have relevant
// events, each as JSON.
import { decodeTransaction, transactionId } from '#clarity/decode-transaction.ts';
import { outcomeOf } from '#clarity/event-digest.ts';
import { calleeOf } from '#clarity/packed-calls.ts';
import { isFailure } from '#model/failure.ts';
import { quote } from '#text/quote.ts';
import { type CutPayload, NO_ITEMS } from './cut-payload.ts';
import { type CountedEvent, EventReducer, eventIndexOf } from './event-reducer.ts';
import { readRawTransaction, STATUS_SUCCESS, TRANSACTION } from './list-items.ts';
import { MalformedError } from './malformed-error.ts';
import {
  joinChain,
  readBurnBlockTime,
  readHash,
  readHeight,
  readSees,
  readTenureHeight,
  readTransactionCount,
} from './payload-members.ts';
import type { Reducer } from './read-payload.ts';
import type { Kind } from './reduce-payload.ts';

interface Item {
  readonly txId: string;
  readonly callee: string | undefined;
  readonly isDeploy: boolean;
  /** The JSON without its end. */
  readonly begin: readonly (string | Buffer)[];
  /** The end of the JSON; undefined if it depends on the events. */
  readonly end: string | undefined;
  /** The result of a call. */
  readonly result: Buffer | undefined;
  readonly events: CountedEvent[];
}

/** Matches the outcome of a call, and the digests of events, in a seed. */
const OUTCOME = /^0x0[01][0-9a-f]{16}$/;
const DIGESTS = /^0x(?:[0-9a-f]{16})*$/;

export class PayloadCutter implements Reducer<CutPayload> {
  readonly #kind: Kind;
  readonly #items: Item[] = [];
  readonly #byId = new Map<string, Item>();
  readonly #counted: CountedEvent[] = [];
  readonly events = new EventReducer(
    () => {},
    (event) => this.#counted.push(event),
  );
  #chainId: number | undefined;
  #seesOwnBurnBlock: boolean | undefined;
  #transactions = 0;
  #hasEarly = false;
  #misnamed = 0;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  finish(members: Readonly<Record<string, unknown>>): CutPayload {
    const isBlock = this.#kind === 'block';
    for (const event of this.#counted) this.#byId.get(event.txId)?.events.push(event);
    const head = {
      burnBlockHeight: readHeight(members, 'burn_block_height'),
      ...readBurnBlockTime(members),
      parentIndexBlockHash: readHash(members, 'parent_index_block_hash'),
      indexBlockHash: isBlock ? readHash(members, 'index_block_hash') : '',
      height: isBlock ? readHeight(members, 'block_height') : -1,
      ...(isBlock ? readTenureHeight(members) : {}),
      ...(isBlock ? readSees(this.#seesOwnBurnBlock ?? members.sees_own_burn_block) : {}),
    };
    return {
      ...(this.#chainId === undefined ? {} : { chainId: this.#chainId }),
      kind: this.#kind,
      head,
      transactionCount:
        this.#hasEarly || members.transaction_count !== undefined
          ? readTransactionCount(members, this.#transactions)
          : undefined,
      ...this.#write(),
      misnamed: this.#misnamed,
    };
  }

  /** Writes the transactions that may be needed, and their events. Microblocks only need deploys. */
  #write(): Pick<CutPayload, 'transactions' | 'bytes' | 'eventsAt'> {
    const isNeeded = ({ isDeploy, callee, events }: Item) =>
      isDeploy || (this.#kind === 'block' && (callee !== undefined || events.length > 0));
    const items = this.#items.filter(isNeeded);
    if (items.length === 0) return NO_ITEMS;
    const pieces: Buffer[] = [];
    let length = 0;
    /** Writes an item of a list, and returns its place. */
    const add = (texts: readonly (string | Buffer)[], isFirst: boolean) => {
      const start = length + Number(!isFirst);
      for (const text of isFirst ? texts : [',', ...texts]) {
        const piece = typeof text === 'string' ? Buffer.from(text) : text;
        pieces.push(piece);
        length += piece.length;
      }
      return { start, end: length };
    };
    const placed = items.map(({ txId, begin, end, isDeploy, result }, index) => {
      return add([...begin, end ?? this.#endOf(txId, isDeploy ? undefined : result)], index === 0);
    });
    const eventsAt = length;
    const transactions = items.map(({ txId, callee, events }, index) => {
      const { start, end } = placed[index] as { start: number; end: number };
      if (events.length === 0) return { txId, callee, start, end, eventsStart: length, eventsEnd: length };
      const at = add([events.map(formatEvent).join(',')], length === eventsAt);
      return { txId, callee, start, end, eventsStart: at.start, eventsEnd: at.end };
    });
    const bytes = Buffer.allocUnsafeSlow(length);
    let at = 0;
    for (const piece of pieces) at += piece.copy(bytes, at);
    return { transactions, bytes, eventsAt };
  }

  /** Returns the end of the JSON: of a call with this result, or of a deploy. */
  #endOf(txId: string, result: Buffer | undefined): string {
    const digests = this.events.digestsOf(txId);
    if (result !== undefined) return `,"outcome":"${toHex(outcomeOf(result, digests))}"}`;
    return `,"event_digests":${digests === undefined ? 'null' : `"${toHex(digests)}"`}}`;
  }

  addTransaction(): void {
    const { txId, rawTx } = readRawTransaction();
    this.#transactions++;
    if (rawTx === undefined) return;
    this.#chainId = joinChain(this.#chainId, rawTx);
    if (!TRANSACTION.is('status', STATUS_SUCCESS)) return;
    const decoded = decodeTransaction(rawTx);
    const { deploy, call, seesOwnBurnBlock } = isFailure(decoded) ? NOTHING_DECODED : decoded;
    this.#seesOwnBurnBlock ??= seesOwnBurnBlock;
    const isEarly = TRANSACTION.value('microblock_sequence') != null;
    if (isEarly && !isFailure(decoded)) this.#hasEarly = true;
    if (typeof rawTx === 'string' || transactionId(rawTx) !== txId) this.#misnamed++;
    else this.#addItem(txId, isEarly, deploy !== undefined, this.#kind === 'block' ? call : undefined);
  }

  /** Adds the current transaction. `call` is the payload of a call. */
  #addItem(txId: string, isEarly: boolean, isDeploy: boolean, call: Buffer | undefined): void {
    const result = TRANSACTION.hexBytes('raw_result');
    const outcome = TRANSACTION.value('outcome');
    const isOutcome = typeof outcome === 'string' && OUTCOME.test(outcome);
    // A reader of the seed would refuse the call.
    if (call !== undefined && result === undefined && !isOutcome)
      throw new MalformedError(`the call ${quote(txId)} lacks its result`);
    const callee = call && calleeOf(call);
    const sequence = isEarly
      ? `,"microblock_sequence":${eventIndexOf(TRANSACTION.value('microblock_sequence'), 0)}`
      : '';
    const txIndex = eventIndexOf(TRANSACTION.value('tx_index'), this.#transactions);
    const begin: (string | Buffer)[] = [
      `{"txid":${JSON.stringify(txId)},"raw_tx":`,
      Buffer.from(TRANSACTION.bytes('raw_tx')),
      `,"status":"success","tx_index":${txIndex}${sequence}`,
    ];
    let end: string | undefined = '}';
    if (isDeploy) {
      const code = interfaceJson();
      if (code !== undefined) begin.push(`,"contract_interface":`, code);
      const digests = TRANSACTION.value('event_digests');
      end =
        digests === null || (typeof digests === 'string' && DIGESTS.test(digests))
          ? `,"event_digests":${JSON.stringify(digests)}}`
          : undefined;
    } else if (callee !== undefined) end = isOutcome ? `,"outcome":"${outcome}"}` : undefined;
    const item = {
      txId,
      begin,
      end,
      result: end === undefined && result ? Buffer.from(result) : undefined,
      callee,
      isDeploy,
      events: [],
    };
    this.#items.push(item);
    if (!this.#byId.has(txId)) this.#byId.set(txId, item);
  }
}

/** Returns the interface of the current transaction as JSON on one line; undefined without one. Throws MalformedError. */
function interfaceJson(): string | Buffer | undefined {
  for (const key of ['contract_interface', 'contract_abi'] as const) {
    const json = TRANSACTION.bytes(key);
    if (json.length === 0 || TRANSACTION.is(key, 'null')) continue;
    return json.includes('\n') || json.includes('\r') ? JSON.stringify(TRANSACTION.value(key)) : Buffer.from(json);
  }
  return undefined;
}

const NOTHING_DECODED: { deploy?: undefined; call?: undefined; seesOwnBurnBlock?: undefined } = {};

function formatEvent({ txId, eventIndex, type, fields }: CountedEvent): string {
  return JSON.stringify({ txid: txId, event_index: eventIndex, committed: true, type, [type]: fields });
}

function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}
