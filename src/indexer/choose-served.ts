// Chooses which deploy of a contract id is served, where there are several.
import type { Candidate } from '#store/candidates.ts';

/** One candidate for each contract id: canonical before non-canonical, confirmed before unconfirmed, then the highest block. */
export function chooseServed(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const current = best.get(candidate.contractId);
    if (current === undefined || isBetter(candidate, current)) best.set(candidate.contractId, candidate);
  }
  return [...best.values()];
}

function isBetter(candidate: Candidate, current: Candidate): boolean {
  if (candidate.canonical !== current.canonical) return candidate.canonical;
  if (candidate.confirmed !== current.confirmed) return candidate.confirmed;
  if (candidate.blockHeight !== current.blockHeight) return candidate.blockHeight > current.blockHeight;
  // Two orphans of one height: by deploy, so that the choice does not depend on the order of rows.
  return candidate.deployId > current.deployId;
}
