// What of a chain event does not depend on whether its line was held whole: all but the events of its transactions.
import type { ChainEvent } from '#model/chain-event.ts';

export function withoutEvents(event: ChainEvent): object {
  const deploys = event.deploys.map(({ events, ...deploy }) => deploy);
  return event.kind === 'block' ? { ...event, deploys, calls: event.calls.packed } : { ...event, deploys };
}
