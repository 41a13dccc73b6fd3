// Digests of events, by which those of a call that is replayed are compared with those that it had on the chain: events
// as an observer is sent them, or as the Clarity VM gives them, in; bytes out.
import { hash } from 'node:crypto';

/** Of SHA-256: enough, since whoever wanted two events with one digest could only have their own values doubted less. */
export const EVENT_DIGEST_BYTES = 8;

type Fields = Readonly<Record<string, unknown>>;

/** What the VM gives for a call or a deploy. */
export interface VmEvent {
  readonly event: string;
  readonly data: Fields;
}

/** The VM calls prints otherwise than observers do. */
const VM_PRINT = 'print_event';
const PRINT = 'contract_event';
/**
 * What makes an event, in this order. Not the decoded `value`, which is written in other ways, nor the memo of a
 * transfer, which changes nothing.
 */
const FIELDS = [
  'contract_identifier',
  'asset_identifier',
  'topic',
  'raw_value',
  'amount',
  'sender',
  'recipient',
  'locked_address',
  'locked_amount',
  'unlock_height',
] as const;

/** Digests of events behind each other; `events` as an observer is sent them. */
export function digestObservedEvents(events: readonly Fields[]): Uint8Array {
  return digestAll(events, (event) => {
    const type = String(event.type);
    const fields = event[type];
    return textOf(type, typeof fields === 'object' && fields !== null ? (fields as Fields) : {});
  });
}

/** The same digests of the same events. */
export function digestVmEvents(events: readonly VmEvent[]): Uint8Array {
  return digestAll(events, ({ event, data }) => textOf(event === VM_PRINT ? PRINT : event, data));
}

function textOf(type: string, fields: Fields): string {
  const values = FIELDS.map((name) => (fields[name] === undefined ? null : String(fields[name])));
  return JSON.stringify([type, ...values]);
}

function digestAll<Event>(events: readonly Event[], textOfEvent: (event: Event) => string): Uint8Array {
  const digests = new Uint8Array(EVENT_DIGEST_BYTES * events.length);
  events.forEach((event, index) => {
    const digest = hash('sha256', textOfEvent(event), 'buffer');
    digests.set(digest.subarray(0, EVENT_DIGEST_BYTES), EVENT_DIGEST_BYTES * index);
  });
  return digests;
}
