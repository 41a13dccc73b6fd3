// Recognizes blocks that contain nothing to store, which most blocks are.
import type { BlockEvent } from './chain-event.ts';

/**
 * The calls of a block without calls. Many blocks share this array, so its memory must not be transferred to a thread.
 */
export const NO_CALLS = new Uint8Array(0);

/** True if a block contains anything that the index stores. */
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
