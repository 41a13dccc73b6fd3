// Digests of events and results, to compare a replayed call with its outcome on chain.
import { hash } from 'node:crypto';
import { keyOf } from './name-key.ts';

/** Enough without cryptography: a forged digest gives a false proof only to values of the forger's own contracts. */
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

/** Concatenated digests of the VM's events; equal events have equal digests. */
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

/** `fields`: the values of {@link EVENT_FIELDS}; undefined for a missing one. */
export function digestEvent(type: string, fields: readonly (string | undefined)[]): Buffer {
  let text = type;
  for (const field of fields) text += field === undefined ? ' -' : ` ${field.length}:${field}`;
  const digest = Buffer.allocUnsafe(EVENT_DIGEST_BYTES);
  digest.writeDoubleBE(keyOf(text));
  return digest;
}

/** Bytes of an outcome: whether its events are known, and a part of a SHA-256. */
export const OUTCOME_BYTES = 9;

/** Digest of a call's result and events. `events`: their digests; undefined if the events are unknown. */
export function outcomeOf(result: Uint8Array, events: Uint8Array | undefined): Buffer {
  const digest = hash('sha256', events === undefined ? result : Buffer.concat([result, events]), 'buffer');
  return Buffer.concat([Buffer.of(Number(events !== undefined)), digest.subarray(0, OUTCOME_BYTES - 1)]);
}

/** True if a replayed call had the outcome that it had on chain; unknown events are not compared. */
export function isOutcome(outcome: Uint8Array, result: Uint8Array, events: readonly VmEvent[]): boolean {
  const known = outcome[0] === 1 ? digestVmEvents(events) : undefined;
  return Buffer.compare(outcome, outcomeOf(result, known)) === 0;
}
