// Checks that a line of a seed is the line that this program writes for its content. So no member can be missing,
// invalid or unknown, and no bytes can be added.
import { quote } from '#text/quote.ts';
import type { BlockHead } from '../observer/block-run.ts';
import { cutPayload } from '../observer/cut-payload.ts';
import { MalformedError } from '../observer/malformed-error.ts';
import type { Payload } from '../observer/parse-payload.ts';
import type { Kind } from '../observer/reduce-payload.ts';
import { columnsOf, formatPayload, formatRun, jsonOf } from './seed-line.ts';

/** The number of bytes to show before and after the first byte that differs. */
const SHOWN_BYTES = 30;

/** Throws MalformedError unless the line is the line of these blocks. */
export function checkRunLine(line: Buffer, heads: readonly BlockHead[]): void {
  const [first, ...rest] = heads;
  if (first === undefined) throw new MalformedError('a run of blocks is empty');
  checkText(line, formatRun([first, ...rest]));
}

/** Throws MalformedError unless the line is the line of this payload. */
export function checkPayloadLine(line: Buffer, payload: Payload, kind: Kind): void {
  const cut = cutPayload(payload, kind);
  if (cut.transactions.length === 0) throw new MalformedError('a line of a seed has no transactions');
  const columns = Buffer.from(columnsOf(cut));
  // The JSON is compared as text, since it is large.
  const isSame = payload.text === jsonOf(cut, cut.transactions) && line.subarray(0, columns.length).equals(columns);
  if (!isSame || line.length !== columns.length + Buffer.byteLength(payload.text))
    checkText(line, formatPayload(cut, cut.transactions));
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
