// Returns a chain event without the events of its transactions, which are different if the event's line was read in
// pieces.
import { readCalls } from '#clarity/packed-calls.ts';
import type { ChainEvent } from '#model/chain-event.ts';

export function withoutEvents(event: ChainEvent): object {
  const deploys = event.deploys.map(({ events, ...deploy }) => deploy);
  const calls =
    event.kind === 'block' ? [...readCalls(event.calls)].map(({ txIndex, txId, args }) => [txIndex, txId, args]) : [];
  return { ...event, deploys, calls };
}
