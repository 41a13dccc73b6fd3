// Reads the items of a payload's lists, one at a time: transactions and events.
import { EVENT, type EventReducer } from './event-reducer.ts';
import { JsonFields } from './json-fields.ts';
import { CUT_OFF, OPEN_OBJECT, scanner } from './json-scanner.ts';
import { MalformedError } from './malformed-error.ts';
import { EVENTS, TRANSACTIONS } from './payload-members.ts';

const TRANSACTION_FIELDS = [
  'txid',
  'raw_tx',
  'status',
  'tx_index',
  'raw_result',
  'contract_interface',
  'contract_abi',
  'microblock_sequence',
  // Members that only seeds have, in place of the result and the events.
  'outcome',
  'event_digests',
] as const;
/** The raw transaction of a burnchain operation, which is a transfer or stacking made on Bitcoin. */
const BURNCHAIN_OPERATION = '"0x00"';

/** True for a text of whole bytes in lower-case hex with a 0x prefix. */
export function isHex(value: unknown): value is string {
  return typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-f]*$/.test(value);
}

export const STATUS_SUCCESS = '"success"';
/** The current transaction. Each item is reduced before the next is read. */
export const TRANSACTION = new JsonFields(TRANSACTION_FIELDS);

/** Receives the items of a payload's lists. */
export interface ItemReducer {
  readonly events: Pick<EventReducer, 'add' | 'addInvalid'>;
  /** Called for each transaction, whose members are then in {@link TRANSACTION}. Throws MalformedError. */
  addTransaction(): void;
}

/**
 * Reads the item of a list that begins at `start`. Returns the offset after the item, or CUT_OFF. Throws MalformedError.
 */
export function readListItem(list: string, start: number, reducer: ItemReducer): number {
  const fields = list === TRANSACTIONS ? TRANSACTION : list === EVENTS ? EVENT : undefined;
  const isObject = scanner.bytes[start] === OPEN_OBJECT;
  if (fields === undefined || !isObject) {
    const end = scanner.endOfValue(start);
    if (end !== CUT_OFF && list === TRANSACTIONS) throw new MalformedError('a transaction is not an object');
    if (end !== CUT_OFF && list === EVENTS) reducer.events.addInvalid();
    return end;
  }
  const end = fields.read(start, scanner.end);
  if (end !== CUT_OFF) {
    if (fields === TRANSACTION) reducer.addTransaction();
    else reducer.events.add();
  }
  fields.done();
  return end;
}

/**
 * Returns the id and the bytes of the current transaction: text if they are not hex. The bytes are undefined for a
 * burnchain operation. Throws MalformedError.
 */
export function readRawTransaction(): { readonly txId: string; readonly rawTx: string | Uint8Array | undefined } {
  const txId = TRANSACTION.text('txid');
  const isBurnchainOperation = TRANSACTION.is('raw_tx', BURNCHAIN_OPERATION);
  const rawTx = TRANSACTION.hexBytes('raw_tx') ?? TRANSACTION.value('raw_tx');
  if ((typeof rawTx !== 'string' && !(rawTx instanceof Uint8Array)) || txId === undefined)
    throw new MalformedError('a transaction lacks txid or raw_tx');
  return { txId, rawTx: isBurnchainOperation ? undefined : rawTx };
}
