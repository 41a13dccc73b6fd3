// Reads the items of a payload's lists, one at a time: transactions and events.
import { EVENT, type EventReducer } from './event-reducer.ts';
import { CUT_OFF, OPEN_OBJECT, scanner } from './json-scanner.ts';
import { MalformedError } from './malformed-error.ts';
import { EVENTS, TRANSACTIONS } from './payload-members.ts';
import { BURNCHAIN_OPERATION, TRANSACTION } from './transaction-fields.ts';

/**
 * Reads the item of a list that begins at `start`. `addTransaction` is called for a transaction, whose members are then
 * in {@link TRANSACTION}. Returns the offset after the item, or CUT_OFF. Throws MalformedError.
 */
export function readListItem(list: string, start: number, events: EventReducer, addTransaction: () => void): number {
  const fields = list === TRANSACTIONS ? TRANSACTION : list === EVENTS ? EVENT : undefined;
  const isObject = scanner.bytes[start] === OPEN_OBJECT;
  if (fields === undefined || !isObject) {
    const end = scanner.endOfValue(start);
    if (end !== CUT_OFF && list === TRANSACTIONS) throw new MalformedError('a transaction is not an object');
    if (end !== CUT_OFF && list === EVENTS) events.addInvalid();
    return end;
  }
  const end = fields.read(start, scanner.end);
  if (end !== CUT_OFF) {
    if (fields === TRANSACTION) addTransaction();
    else events.add();
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
