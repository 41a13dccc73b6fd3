// Tells blocks without content, which most blocks of a chain are.
import type { BlockEvent } from './chain-event.ts';

/** The calls of a block without calls: shared, so its memory must not be transferred. */
export const NO_CALLS = new Uint8Array(0);

/** True if a block has anything besides what identifies it. */
export function hasContent({
  deploys,
  failures,
  calls,
  supplyChanges,
  tokenEvents,
  notifications,
}: BlockEvent): boolean {
  const items = deploys.length + failures.length + supplyChanges.length + tokenEvents.length + notifications.length;
  return items > 0 || calls.byteLength > 0;
}
