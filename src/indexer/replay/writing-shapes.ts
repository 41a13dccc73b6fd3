// Reads the shapes of calls that may write a variable.

import { DEPLOY } from '#clarity/builtins.ts';
import { keyOf } from '#clarity/name-key.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countCalls, isLarge, readShapesWriting, type StoredShape } from '#store/replay/shapes.ts';
import { isTooLarge } from './closure.ts';
import { inChainOrder, type PlacedDeploy } from './trace-steps.ts';
import { contractOf, keyOfAll, type TransitiveEffects, type Variable } from './transitive-effects.ts';

/** A shape of calls ({@link StoredShape}) with its effects on the canonical chain. */
export interface WritingShape extends StoredShape {
  readonly effects: TransitiveEffects;
  /** Number of calls on all forks, at most {@link MAX_COUNTED}. */
  readonly calls: number;
}

/** Shapes that may write a variable. `isWhole`: false if code that is too large to follow may write it, too. */
export interface WritingShapes {
  readonly shapes: readonly WritingShape[];
  readonly isWhole: boolean;
}

const MAX_COUNTED = 1_000_000;
/** The maximum number of names in the effects of the shapes that may write a variable. */
const MAX_NAMES = 250_000;

interface Chain {
  readonly store: StoreReader;
  effectsOf(shape: StoredShape): Promise<TransitiveEffects>;
  deployOf(contractId: string): Promise<PlacedDeploy | undefined>;
}

/**
 * Returns the shapes that may write a variable on the canonical chain. Undefined for more than `maxShapes`, or if their
 * effects have more than {@link MAX_NAMES} names.
 */
export async function readWritingShapes(
  chain: Chain,
  variable: Variable,
  maxShapes: number,
): Promise<WritingShapes | undefined> {
  const { store } = chain;
  const keys = [keyOf(variable), keyOfAll(contractOf(variable))];
  const stored = await readShapesWriting(store, keys, maxShapes + 1);
  if (stored.length > maxShapes) return undefined;
  const shapes: WritingShape[] = [];
  let isWhole = true;
  let names = 0;
  for (const shape of stored) {
    const effects = isLarge(shape) ? undefined : await chain.effectsOf(shape);
    if (effects === undefined || isTooLarge(effects)) isWhole = false;
    if (!effects?.writes.has(variable) || (await isDeployedBefore(chain, shape, contractOf(variable)))) continue;
    shapes.push({ ...shape, effects, calls: await countCalls(store, shape.shapeId, MAX_COUNTED) });
    names += effects.reads.size + effects.writes.size;
    if (names > MAX_NAMES) return undefined;
  }
  return { shapes, isWhole };
}

/** True if a shape is a deploy before the deploy of `otherId`. Such a deploy cannot write variables of `otherId`. */
async function isDeployedBefore(
  chain: Chain,
  { contractId, functionName }: StoredShape,
  otherId: string,
): Promise<boolean> {
  if (functionName !== DEPLOY) return false;
  const [deploy, other] = [await chain.deployOf(contractId), await chain.deployOf(otherId)];
  return deploy !== undefined && other !== undefined && inChainOrder(deploy, other) < 0;
}
