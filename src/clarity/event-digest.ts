// Computes digests of events and results, to compare a replayed call with its outcome on chain.
import { hash } from 'node:crypto';
import { keyOf } from './name-key.ts';

/**
 * The length of an event's digest in bytes. The digest is not cryptographic, but forged collisions could only prove
 * false values of the forger's own contracts.
 */
export const EVENT_DIGEST_BYTES = 8;

type Fields = Readonly<Record<string, unknown>>;

/** An event that the VM returns for a call or a deploy. */
export interface VmEvent {
  readonly event: string;
  readonly data: Fields;
}

/** The type of a print event in the VM; `PRINT` is its type in a node's events. */
const VM_PRINT = 'print_event';
const PRINT = 'contract_event';
/**
 * The fields that identify an event, in the order in which they are hashed. The decoded `value` is excluded, since it
 * can be written in several ways, and a transfer's memo, since it has no effect.
 */
export const EVENT_FIELDS = [
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

/** Returns the digests of the VM's events, concatenated. Equal events have equal digests. */
export function digestVmEvents(events: readonly VmEvent[]): Uint8Array {
  return Buffer.concat(
    events.map(({ event, data }) =>
      digestEvent(
        event === VM_PRINT ? PRINT : event,
        EVENT_FIELDS.map((name) => (data[name] === undefined ? undefined : String(data[name]))),
      ),
    ),
  );
}

/**
 * Returns the digest of an event. `fields` has the values of {@link EVENT_FIELDS} in the same order; undefined for a
 * missing field.
 */
export function digestEvent(type: string, fields: readonly (string | undefined)[]): Buffer {
  let text = type;
  for (const field of fields) text += field === undefined ? ' -' : ` ${field.length}:${field}`;
  const digest = Buffer.allocUnsafe(EVENT_DIGEST_BYTES);
  digest.writeDoubleBE(keyOf(text));
  return digest;
}

/** The length of an outcome in bytes: one byte that is 1 if the events are known, then 8 bytes of a SHA-256. */
export const OUTCOME_BYTES = 9;

/**
 * Returns the outcome of a call: a digest of its result and its events. `events` has the events' digests; undefined if
 * they are unknown.
 */
export function outcomeOf(result: Uint8Array, events: Uint8Array | undefined): Buffer {
  const digest = hash('sha256', events === undefined ? result : Buffer.concat([result, events]), 'buffer');
  return Buffer.concat([Buffer.of(Number(events !== undefined)), digest.subarray(0, OUTCOME_BYTES - 1)]);
}

/** True if a replayed call had the same outcome as on chain. Ignores events if the outcome on chain excludes them. */
export function isOutcome(outcome: Uint8Array, result: Uint8Array, events: readonly VmEvent[]): boolean {
  const known = outcome[0] === 1 ? digestVmEvents(events) : undefined;
  return Buffer.compare(outcome, outcomeOf(result, known)) === 0;
}
