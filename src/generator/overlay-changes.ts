// Finds the contracts whose curated facts changed since the last build.

import { hash } from 'node:crypto';
import type { Overlay } from '#routes/overlay.ts';

/** Returns a hash of the facts of each contract, to find changed ones. */
export function overlayHashes(overlay: Overlay | undefined): Record<string, string> {
  const entries = [...(overlay ?? [])].map(([id, facts]) => [id, hash('sha256', JSON.stringify(facts)).slice(0, 16)]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Returns the contracts whose facts were added, changed or removed. */
export function changedInOverlay(before: Record<string, string>, after: Record<string, string>): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...ids].filter((id) => before[id] !== after[id]).sort();
}
