// Reads the relevant members of a transaction in a payload.
import { JsonFields } from './json-fields.ts';

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
export const BURNCHAIN_OPERATION = '"0x00"';

/** True for a text of whole bytes in lower-case hex with a 0x prefix. */
export function isHex(value: unknown): value is string {
  return typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-f]*$/.test(value);
}

export const STATUS_SUCCESS = '"success"';
/** The current transaction. Each item is reduced before the next is read. */
export const TRANSACTION = new JsonFields(TRANSACTION_FIELDS);
