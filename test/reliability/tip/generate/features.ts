// The optional features of random programs. In addition, every program may use variables, maps, private functions and
// calls by name. Replays may fail at any feature, so a failed program's features hint at the cause.
import type { Random } from '../../../support/random.ts';

const FEATURES = [
  ...['height', 'stx', 'sender', 'asset-read', 'asset-result', 'map-delete'],
  ...['guard', 'guard-ok', 'guard-write', 'caught', 'rollback'],
  ...['older', 'constant', 'derived-constant', 'deploy-call', 'deploy-copy'],
  ...['trait', 'trait-nested', 'trait-twice', 'trait-read', 'constant-trait', 'later-name', 'passing'],
  ...['public-getter', 'supply', 'same-block', 'fork', 'abort', 'sponsor', 'bare', 'full-name'],
  ...['early', 'print', 'burn', 'semi-fungible', 'as-contract', 'restrict'],
  ...['loops', 'tuples', 'asking', 'numbered', 'giving', 'inner-write'],
] as const;
type Feature = (typeof FEATURES)[number];

export type Features = ReadonlySet<Feature>;

/** Draws the features of a program. Some programs get few and some many, so that they differ in size. */
export function drawFeatures(random: Random): Features {
  const share = random.pick([0.15, 0.3, 0.6]);
  return new Set(FEATURES.filter(() => random.chance(share)));
}

/** True if a program has at most three features. The generator then uses these features often. */
export const isNarrow = (features: Features): boolean => features.size <= 3;
