// Reads the kinds of calls that may write a variable.

import { DEPLOY } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countCalls, isLarge, readKindsWriting, type StoredKind } from '#store/replay/call-kinds.ts';
import { isTooLarge } from './closure.ts';
import { inChainOrder, type PlacedDeploy } from './trace-steps.ts';
import { contractOf, keyOfAll, type TransitiveEffects, type Variable } from './transitive-effects.ts';

/** A kind of call ({@link StoredKind}) with its effects on the canonical chain. */
export interface WritingKind extends StoredKind {
  readonly effects: TransitiveEffects;
  /** Number of calls on all forks, at most {@link MAX_COUNTED}. */
  readonly calls: number;
}

/** Kinds that may write a variable. `isWhole`: false if code that is too large to follow may write it, too. */
export interface WritingKinds {
  readonly kinds: readonly WritingKind[];
  readonly isWhole: boolean;
}

const MAX_COUNTED = 1_000_000;
/** The maximum number of names in the effects of the kinds that may write a variable. */
const MAX_NAMES = 250_000;

interface Chain {
  readonly store: StoreReader;
  effectsOf(kind: StoredKind): Promise<TransitiveEffects>;
  deployOf(contractId: string): Promise<PlacedDeploy | undefined>;
}

/**
 * Returns the kinds that may write a variable on the canonical chain. Undefined for more than `maxKinds`, or if their
 * effects have more than {@link MAX_NAMES} names.
 */
export async function readWritingKinds(
  chain: Chain,
  variable: Variable,
  maxKinds: number,
): Promise<WritingKinds | undefined> {
  const { store } = chain;
  const keys = [keyOf(variable), keyOfAll(contractOf(variable))];
  const stored = await readKindsWriting(store, keys, maxKinds + 1);
  if (stored.length > maxKinds) return undefined;
  const kinds: WritingKind[] = [];
  let isWhole = true;
  let names = 0;
  for (const kind of stored) {
    const effects = isLarge(kind) ? undefined : await chain.effectsOf(kind);
    if (effects === undefined || isTooLarge(effects)) isWhole = false;
    if (!effects?.writes.has(variable) || (await isDeployedBefore(chain, kind, contractOf(variable)))) continue;
    kinds.push({ ...kind, effects, calls: await countCalls(store, kind.kindId, MAX_COUNTED) });
    names += effects.reads.size + effects.writes.size;
    if (names > MAX_NAMES) return undefined;
  }
  return { kinds, isWhole };
}

/** True if a kind is a deploy before the deploy of `otherId`. Such a deploy cannot write variables of `otherId`. */
async function isDeployedBefore(
  chain: Chain,
  { contractId, functionName }: StoredKind,
  otherId: string,
): Promise<boolean> {
  if (functionName !== DEPLOY) return false;
  const [deploy, other] = [await chain.deployOf(contractId), await chain.deployOf(otherId)];
  return deploy !== undefined && other !== undefined && inChainOrder(deploy, other) < 0;
}
