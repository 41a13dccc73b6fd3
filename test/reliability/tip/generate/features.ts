// What random programs may use beside variables, maps, private functions and calls by name. Each is a way in which a
// replay may differ from the chain, so that what goes wrong can be told apart.
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

/** Each with a chance of its own, so that programs differ in how much is in them. */
export function drawFeatures(random: Random): Features {
  const share = random.pick([0.15, 0.3, 0.6]);
  return new Set(FEATURES.filter(() => random.chance(share)));
}

/** Whether a program is about little more than one thing, with what that needs: it must then be in it often. */
export const isNarrow = (features: Features): boolean => features.size <= 3;
