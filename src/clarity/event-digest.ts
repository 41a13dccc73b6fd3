// Digests of events, to compare a replayed call with its events on chain. Takes events as sent to an observer or as
// returned by the Clarity VM, and returns bytes.
import { hash } from 'node:crypto';

/** Bytes kept of a SHA-256. Enough: a forged digest could only make the forger's own values less doubtful. */
export const EVENT_DIGEST_BYTES = 8;

type Fields = Readonly<Record<string, unknown>>;

/** Events that the VM returns for a call or a deploy. */
export interface VmEvent {
  readonly event: string;
  readonly data: Fields;
}

/** The VM's name for a print differs from that of observers. */
const VM_PRINT = 'print_event';
const PRINT = 'contract_event';
/**
 * Fields that identify an event, in this order. Leaves out the decoded `value`, which has several spellings, and the
 * memo of a transfer, which changes nothing.
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

/** Concatenated digests of events as sent to an observer. */
export function digestObservedEvents(events: readonly Fields[]): Uint8Array {
  return digestAll(events, (event) => {
    const type = String(event.type);
    const fields = event[type];
    return textOf(type, typeof fields === 'object' && fields !== null ? (fields as Fields) : {});
  });
}

/** Concatenated digests of the VM's events; equal events have equal digests. */
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

/** Bytes that are compared of a call's outcome: whether its events are known, and a digest. */
export const OUTCOME_BYTES = 1 + EVENT_DIGEST_BYTES;

export function digestResult(result: Uint8Array): Buffer {
  return hash('sha256', result, 'buffer').subarray(0, EVENT_DIGEST_BYTES);
}

/** `resultDigest`: {@link digestResult}. `events`: digests of the events; undefined if these are unknown. */
export function outcomeOf(resultDigest: Uint8Array, events: Uint8Array | undefined): Buffer {
  if (events === undefined) return Buffer.concat([Buffer.of(0), resultDigest]);
  return Buffer.concat([Buffer.of(1), digestResult(Buffer.concat([resultDigest, events]))]);
}

/** True if a replayed call had the outcome that it had on chain; unknown events are not compared. */
export function isOutcome(outcome: Uint8Array, result: Uint8Array, events: readonly VmEvent[]): boolean {
  const known = outcome[0] === 1 ? digestVmEvents(events) : undefined;
  return Buffer.compare(outcome, outcomeOf(digestResult(result), known)) === 0;
}
