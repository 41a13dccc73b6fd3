// Tests that a large result does not damage the other members of its transaction.
import { expect, test } from 'vitest';
import { readCalls } from '#clarity/packed-calls.ts';
import type { BlockEvent } from '#model/chain-event.ts';
import { PayloadReader } from '#source/observer/read-payload.ts';
import { PayloadReducer } from '#source/observer/reduce-payload.ts';
import { blockJson, callJson, type Json } from '../../support/transactions.ts';

function calleesOf(call: Json): string[] {
  const payload = blockJson({ id: 5, parent: 4, height: 5, transactions: [call] });
  const event = new PayloadReader(new PayloadReducer('block')).finish(Buffer.from(JSON.stringify(payload)));
  return [...readCalls((event as BlockEvent).calls)].map(({ callee }) => callee);
}

test('records a call whose result needs more memory than the scanner has', () => {
  const call = callJson();
  const large = calleesOf({ ...call, raw_result: `0x${'00'.repeat(4_000_000)}` });
  expect(large).toHaveLength(1);
  expect(large).toEqual(calleesOf(call));
});
