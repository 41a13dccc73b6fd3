// What of a chain event does not depend on whether its line was held whole: all but the events of its transactions.
import { readCalls } from '#clarity/packed-calls.ts';
import type { ChainEvent } from '#model/chain-event.ts';

export function withoutEvents(event: ChainEvent): object {
  const deploys = event.deploys.map(({ events, ...deploy }) => deploy);
  const calls =
    event.kind === 'block' ? [...readCalls(event.calls)].map(({ txIndex, txId, args }) => [txIndex, txId, args]) : [];
  return { ...event, deploys, calls };
}
