// Cuts a payload down to the data that an index reads, for a seed: transactions that deploy, call or have relevant
// events, each as JSON.
import { outcomeOf } from '#clarity/event-digest.ts';
import { calleeOf } from '#clarity/packed-calls.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { isFailure } from '#model/failure.ts';
import { quote } from '#text/quote.ts';
import type { BlockHead } from './block-run.ts';
import { type CountedEvent, EventReducer, eventIndexOf } from './event-reducer.ts';
import { MalformedError } from './malformed-error.ts';
import { bytesOfHex, type Json, type Payload, textOrJson } from './parse-payload.ts';
import {
  readBurnBlockTime,
  readHash,
  readHeight,
  readSees,
  readTenureHeight,
  readTransactionCount,
} from './payload-members.ts';
import type { Kind } from './reduce-payload.ts';

/** A transaction, and the events of it that count, as JSON. `events` is empty without such an event. */
export interface CutTransaction {
  readonly json: string;
  readonly events: string;
  /** The key of the called function, if the transaction is only needed in case the function may write a variable. */
  readonly callee: string | undefined;
}

/** A block or microblocks. The `head` of microblocks has no hash, and its height is -1. */
export interface CutPayload {
  readonly kind: ChainEvent['kind'];
  readonly head: BlockHead;
  /** The number of transactions before the cut; undefined if no transaction was in a microblock. */
  readonly transactionCount: number | undefined;
  readonly transactions: readonly CutTransaction[];
  /** The number of transactions that are left out because their bytes have another id. */
  readonly misnamed: number;
}

/** A transaction of the payload that may be needed. */
interface Item {
  readonly txId: string;
  readonly callee: string | undefined;
  readonly isDeploy: boolean;
  readonly isEarly: boolean;
  readonly index: number;
  readonly json: Json;
}

/** Matches the outcome of a call, and the digests of events, in a seed. */
const OUTCOME = /^0x0[01][0-9a-f]{16}$/;
const DIGESTS = /^0x(?:[0-9a-f]{16})*$/;

/** Returns a cut payload for a block without content. */
export function cutEmpty(head: BlockHead): CutPayload {
  return { kind: 'block', head, transactionCount: undefined, transactions: [], misnamed: 0 };
}

/** Throws MalformedError. */
export function cutPayload({ members, observed, transactions, events }: Payload, kind: Kind): CutPayload {
  const isBlock = kind === 'block';
  const items: Item[] = [];
  let [seesOwnBurnBlock, hasEarly, misnamed]: [boolean | undefined, boolean, number] = [undefined, false, 0];
  for (const [place, transaction] of observed().entries()) {
    const { json, txId } = transaction;
    if (transaction.rawTx === undefined || json.status !== 'success') continue;
    const { decoded } = transaction;
    const { deploy, call, seesOwnBurnBlock: sees } = isFailure(decoded) ? NOTHING_DECODED : decoded;
    seesOwnBurnBlock ??= sees;
    const isEarly = json.microblock_sequence != null;
    hasEarly ||= isEarly && !isFailure(decoded);
    if (!transaction.hasOwnId) misnamed++;
    else {
      const callee = isBlock && call !== undefined ? calleeOf(call) : undefined;
      items.push({ txId, callee, isDeploy: deploy !== undefined, isEarly, index: place + 1, json });
    }
  }
  const counted: CountedEvent[] = [];
  const reducer = new EventReducer(
    () => {},
    (event) => counted.push(event),
  );
  for (const event of events) reducer.add(event);
  const eventsOf = Map.groupBy(counted, ({ txId }) => txId);
  return {
    kind,
    head: {
      burnBlockHeight: readHeight(members, 'burn_block_height'),
      ...readBurnBlockTime(members),
      parentIndexBlockHash: readHash(members, 'parent_index_block_hash'),
      indexBlockHash: isBlock ? readHash(members, 'index_block_hash') : '',
      height: isBlock ? readHeight(members, 'block_height') : -1,
      ...(isBlock ? readTenureHeight(members) : {}),
      ...(isBlock ? readSees(seesOwnBurnBlock ?? members.sees_own_burn_block) : {}),
    },
    transactionCount:
      hasEarly || members.transaction_count !== undefined
        ? readTransactionCount(members, transactions.length)
        : undefined,
    transactions: items.flatMap((item): CutTransaction[] => {
      const { txId, callee, isDeploy } = item;
      const events = (eventsOf.get(txId) ?? []).map(formatEvent).join(',');
      eventsOf.delete(txId);
      // Microblocks only need deploys.
      const isNeeded = isDeploy || (isBlock && (callee !== undefined || events !== ''));
      return isNeeded ? [{ json: formatTransaction(item, reducer), events, callee }] : [];
    }),
    misnamed,
  };
}

const NOTHING_DECODED: { deploy?: undefined; call?: undefined; seesOwnBurnBlock?: undefined } = {};

/** Throws MalformedError for a call without a result, since a reader of the seed would refuse it. */
function formatTransaction({ txId, callee, isDeploy, isEarly, index, json }: Item, events: EventReducer): string {
  const { raw_tx, tx_index, microblock_sequence, raw_result, outcome, event_digests: digests } = json;
  const head = {
    txid: txId,
    raw_tx,
    status: 'success',
    tx_index: eventIndexOf(tx_index, index),
    ...(isEarly ? { microblock_sequence: eventIndexOf(microblock_sequence, 0) } : {}),
  };
  if (isDeploy) {
    const code = json.contract_interface ?? json.contract_abi ?? undefined;
    const isKnown = digests === null || (typeof digests === 'string' && DIGESTS.test(digests));
    const event_digests = isKnown ? digests : toHex(events.digestsOf(txId));
    // An interface that cannot be written is nested too deeply to be read.
    return textOrJson({ ...head, contract_interface: code, event_digests }) as string;
  }
  if (callee === undefined) return JSON.stringify(head);
  if (typeof outcome === 'string' && OUTCOME.test(outcome)) return JSON.stringify({ ...head, outcome });
  const result = bytesOfHex(raw_result);
  if (result === undefined) throw new MalformedError(`the call ${quote(txId)} lacks its result`);
  return JSON.stringify({ ...head, outcome: toHex(outcomeOf(result, events.digestsOf(txId))) });
}

function formatEvent({ txId, eventIndex, type, fields }: CountedEvent): string {
  return JSON.stringify({ txid: txId, event_index: eventIndex, committed: true, type, [type]: fields });
}

function toHex(bytes: Uint8Array | undefined): string | null {
  if (bytes === undefined) return null;
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}
