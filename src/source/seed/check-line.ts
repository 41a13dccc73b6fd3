// Checks that a line of a seed is the line that this program writes for its content. So no member can be missing,
// invalid or unknown, and no bytes can be added.
import { freeCalls } from '#clarity/packed-calls.ts';
import type { ChainEvent } from '#model/chain-event.ts';
import { quote } from '#text/quote.ts';
import type { JsonReader } from '../event-archive/parse-line.ts';
import type { BlockHead } from '../observer/block-run.ts';
import { MalformedError } from '../observer/malformed-error.ts';
import { PayloadCutter } from '../observer/payload-cutter.ts';
import { PayloadReader } from '../observer/read-payload.ts';
import { formatPayload, formatRun } from './seed-line.ts';

/** The number of bytes to show before and after the first byte that differs. */
const SHOWN_BYTES = 30;

type Events = ChainEvent | readonly ChainEvent[];

/**
 * Returns a reader that also checks the line. `reader`: a reader for the JSON of the line; undefined for a path that
 * seeds do not have. `kind`: the kind of the payload; undefined for a run of blocks. Throws MalformedError.
 */
export function checkedReader(
  reader: JsonReader<Events> | undefined,
  kind: ChainEvent['kind'] | undefined,
  line: Buffer,
): JsonReader<Events> {
  if (reader === undefined) throw new MalformedError('a seed has no lines of this path');
  return {
    push() {
      throw new MalformedError('the line is longer than a seed may have');
    },
    finish(json) {
      const events = reader.finish(json);
      if (kind === undefined) checkText(line, formatRun(events as unknown as readonly [BlockHead, ...BlockHead[]]));
      else {
        const payload = new PayloadReader(new PayloadCutter(kind)).finish(json);
        if (payload.transactions.length === 0) throw new MalformedError('a line of a seed has no transactions');
        checkText(line, formatPayload(payload, payload.transactions));
        freeCalls(payload.bytes);
      }
      return events;
    },
  };
}

/** Throws MalformedError if the line differs from the text, which has a newline at its end. */
function checkText(line: Buffer, text: Buffer): void {
  const expected = text.subarray(0, -1);
  if (!line.equals(expected)) throw unexpected(line, firstDifference(line, expected));
}

function unexpected(line: Buffer, at: number): MalformedError {
  const shown = line.toString('latin1', Math.max(0, at - SHOWN_BYTES), at + SHOWN_BYTES);
  return new MalformedError(`a seed does not have the text ${quote(shown)} at byte ${at} of a line`);
}

function firstDifference(found: Buffer, expected: Buffer): number {
  const at = found.findIndex((byte, index) => byte !== expected[index]);
  return at === -1 ? found.length : at;
}
